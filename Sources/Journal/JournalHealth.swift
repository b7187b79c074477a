import Vocabulary

/// Derives the journal's state from what happens to it. A value: no clock, no I/O.
///
///     closed ─▶ unavailable ◀─▶ full (disk or limit) ◀─▶ storageSlow ◀─▶ ready
///
/// Several may hold at once; the one furthest to the left is reported. `storageSlow` ends after some quick commits in a row.
struct JournalHealth: Sendable {
    let slowCommit: Duration
    private(set) var isOpen = false
    /// Why it can't be opened or written.
    private(set) var obstacle: String?
    /// Why there is no room on the disk.
    private(set) var diskFull: String?
    /// Why there is no room within the limits.
    private(set) var limitFull: String?
    private var slow: String?
    private var quickCommits = 0

    init(slowCommit: Duration) { self.slowCommit = slowCommit }

    var state: JournalState {
        if let obstacle { return .unavailable(detail: obstacle) }
        if let diskFull { return .full(detail: diskFull) }
        guard isOpen else { return .closed }
        if let limitFull { return .full(detail: limitFull) }
        if let slow { return .storageSlow(detail: slow) }
        return .ready
    }

    var isSlow: Bool { slow != nil }

    mutating func opened() {
        isOpen = true
        obstacle = nil
    }

    mutating func closed() { self = JournalHealth(slowCommit: slowCommit) }

    /// It can't be opened, or was lost.
    mutating func blocked(_ detail: String) {
        isOpen = false
        obstacle = detail
    }

    mutating func disk(full detail: String?) { diskFull = detail }

    mutating func limit(full detail: String?) { limitFull = detail }

    mutating func committed(in duration: Duration) {
        if duration > slowCommit {
            quickCommits = 0
            slow =
                "a commit took \(DurationText.text(.milliseconds(Int64(duration.milliseconds)))) (journal.slowCommit is \(DurationText.text(slowCommit))): "
                + "the disk is busy, worn or failing"
        } else if slow != nil {
            quickCommits += 1
            if quickCommits >= JournalLimits.quickCommits { slow = nil }
        }
    }
}
