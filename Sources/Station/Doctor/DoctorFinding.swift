/// One line of `scanstation doctor`.
package struct DoctorFinding: Hashable, Sendable {
    package enum Level: String, Hashable, Sendable, Comparable {
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

        package static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }
    }

    package var level: Level
    /// What was looked at: `camera`, `gpio`, `serial`…
    package var subject: String
    /// What was found.
    package var finding: String
    /// What to do about it; `nil` when all is well.
    package var remedy: String?

    package init(_ level: Level, _ subject: String, _ finding: String, remedy: String? = nil) {
        self.level = level
        self.subject = subject
        self.finding = finding
        self.remedy = remedy
    }
}
