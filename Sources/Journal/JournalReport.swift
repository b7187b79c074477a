/// What is in a journal.
package struct JournalReport: Hashable, Sendable {
    package struct Output: Hashable, Sendable {
        package var name: String
        package var isRequired: Bool
        /// Whether it is an output of this run.
        package var isActive: Bool
        package var cursor: UInt64
        /// Scans after its cursor.
        package var lag: UInt64
        package var refused: UInt64
        package var skipped: UInt64
        package var undeliverable: UInt64

        package init(
            name: String, isRequired: Bool, isActive: Bool, cursor: UInt64, lag: UInt64, refused: UInt64 = 0,
            skipped: UInt64 = 0, undeliverable: UInt64 = 0
        ) {
            self.name = name
            self.isRequired = isRequired
            self.isActive = isActive
            self.cursor = cursor
            self.lag = lag
            self.refused = refused
            self.skipped = skipped
            self.undeliverable = undeliverable
        }
    }

    /// Empty until it has been opened once.
    package var id: String
    /// The file's path; `nil` in memory.
    package var path: String?
    package var state: JournalState
    /// The oldest and the newest sequence; both 0 when it never held a scan, `first` above `last` when all were dropped.
    package var first: UInt64
    package var last: UInt64
    package var scans: UInt64
    /// The size of database and write-ahead log.
    package var bytes: UInt64
    /// What is volatile or unusual about the place: a tmpfs, an overlay.
    package var warning: String?
    /// A damaged journal that was set aside when this one was made.
    package var setAside: String?
    package var outputs: [Output]

    package init(
        id: String, path: String? = nil, state: JournalState, first: UInt64 = 0, last: UInt64 = 0, scans: UInt64 = 0,
        bytes: UInt64 = 0, warning: String? = nil, setAside: String? = nil, outputs: [Output] = []
    ) {
        self.id = id
        self.path = path
        self.state = state
        self.first = first
        self.last = last
        self.scans = scans
        self.bytes = bytes
        self.warning = warning
        self.setAside = setAside
        self.outputs = outputs
    }
}
