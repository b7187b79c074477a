import ScanCore

/// What is in a journal.
public struct JournalReport: Hashable, Sendable {
    public struct Output: Hashable, Sendable {
        public var name: String
        public var isRequired: Bool
        /// Whether it is an output of this run.
        public var isActive: Bool
        public var cursor: UInt64
        /// Scans after its cursor.
        public var lag: UInt64
        public var refused: UInt64
        public var skipped: UInt64
        public var undeliverable: UInt64

        public init(
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

    /// Empty until it was opened once.
    public var id: String
    /// Of the file; `nil` in memory.
    public var path: String?
    public var state: JournalState
    /// The oldest and the newest sequence; both 0 when it never held a scan, `first` above `last` when all were dropped.
    public var first: UInt64
    public var last: UInt64
    public var scans: UInt64
    /// Of database and write-ahead log.
    public var bytes: UInt64
    /// The volatile or unusual nature of the place, if there is something to say: a tmpfs, an overlay.
    public var warning: String?
    /// A damaged journal that was set aside when this one was made.
    public var setAside: String?
    public var outputs: [Output]

    public init(
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
