/// Whether scans can be kept.
package enum JournalState: Hashable, Sendable {
    /// Not opened yet, or closed.
    case closed
    case ready
    /// Commits take longer than `JournalSettings.slowCommit`: scans are kept, late.
    case storageSlow(detail: String)
    /// The limit or the disk is full of scans that required outputs haven't answered for. Nothing is accepted until there is room.
    case full(detail: String)
    /// It can't be opened or written: a read-only folder, a newer version, another station. It tries again by itself.
    case unavailable(detail: String)

    /// Whether a scan can be kept now.
    package var isAccepting: Bool {
        switch self {
        case .ready, .storageSlow: true
        case .closed, .full, .unavailable: false
        }
    }

    /// Its name on the wire and in logs.
    package var name: String {
        switch self {
        case .closed: "closed"
        case .ready: "ready"
        case .storageSlow: "storageSlow"
        case .full: "full"
        case .unavailable: "unavailable"
        }
    }

    package var detail: String? {
        switch self {
        case .closed, .ready: nil
        case .storageSlow(let detail), .full(let detail), .unavailable(let detail): detail
        }
    }
}
