/// The journal's bounds that aren't settings, each with its reason.
enum JournalLimits {
    /// How many committed scans are also in memory, so that an output that keeps up never waits for the disk.
    static let tailScans = 256
    /// Scans that one call of `scans(after:limit:)` gives, whatever it asks for.
    static let maxPage = 1000
    /// How many exceptions (refused, skipped, undeliverable) are kept per output; their counts go on.
    static let exceptionsPerOutput = 10_000
    /// Characters of an exception's reason.
    static let reasonLength = 500
    /// How many outputs are remembered; then those that left longest ago (with the lowest cursors) are forgotten.
    static let rememberedOutputs = 256
    /// Unreadable rows that are tracked; they don't hold an output back.
    static let unreadableScans = 4096
    /// Scans dropped in one step between commits.
    static let dropStep = 256
    /// Pages given back to the file system in one step.
    static let vacuumStep = 256
    /// A write-ahead log of this size is checkpointed even while scans come.
    static let logBytes = 2 << 20
    /// SQLite's page cache of a connection, in KiB. Its own default, 2 MB, fills over the first thousands of scans and looks like a
    /// leak; an append to the end and a walk from a cursor need few pages.
    static let cacheKibibytes = 512
    /// After this long without a commit, the write-ahead log is checkpointed.
    static let idleBeforeCheckpoint: Duration = .seconds(1)
    /// Given up when the disk is full, so that the log still fits into the database (the ballast is twice as large as the log gets), and
    /// there is room for receipts and for dropping scans.
    static let ballastBytes: UInt64 = 4 << 20
    /// With less room than this, an I/O error counts as a full disk.
    static let scarceBytes: UInt64 = 256 << 10
    /// Room besides the ballast that the disk must have before scans are accepted again.
    static let resumeBytes: UInt64 = 1 << 20
    /// How often a full disk or a slow one is tried.
    static let probeInterval: Duration = .seconds(1)
    /// How often to check, even without a scan, that the journal's files are still there and nobody else writes them. It takes a handful of
    /// system calls and one block read from the disk.
    static let lookInterval: Duration = .milliseconds(750)
    /// Waits between attempts to open the journal.
    static let firstRetry: Duration = .seconds(1)
    static let longestRetry: Duration = .seconds(30)
    /// Quick commits in a row that end `storageSlow`.
    static let quickCommits = 8
    /// With this many damaged files in the folder the disk itself must be failing, and no new journal is made.
    static let damagedFiles = 16
    /// SQLite's own wait for a lock that another process holds for a moment.
    static let lockWaitSeconds = 2.0
    /// After opening, so that the start isn't disturbed.
    static let checkDelay: Duration = .seconds(30)
    /// Live bytes are counted once in this many commits and estimated in between.
    static let commitsPerSizing = 16
}
