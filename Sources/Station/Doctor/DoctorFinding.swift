/// One line of `scanstation doctor`.
public struct DoctorFinding: Hashable, Sendable {
    public enum Level: String, Hashable, Sendable, Comparable {
        case ok = "OK"
        case warn = "WARN"
        case fail = "FAIL"

        private var rank: Int {
            switch self {
            case .ok: 0
            case .warn: 1
            case .fail: 2
            }
        }

        public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
    }

    public var level: Level
    /// What was looked at: `camera`, `gpio`, `serial`…
    public var subject: String
    /// What was found.
    public var finding: String
    /// What to do about it; `nil` when all is well.
    public var remedy: String?

    public init(_ level: Level, _ subject: String, _ finding: String, remedy: String? = nil) {
        self.level = level
        self.subject = subject
        self.finding = finding
        self.remedy = remedy
    }
}
