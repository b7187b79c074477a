import Vocabulary

/// How large the journal's files are, about: counted now and then, and kept up to date between. To count takes longer than a commit.
struct JournalGauge {
    private(set) var sizes = JournalStore.Sizes()
    private var bytesSinceCount: UInt64 = 0
    private var commitsSinceCount = 0
    /// In the write-ahead log and not yet checkpointed.
    private(set) var logBytes = 0
    private(set) var lastCommit = Instant.zero

    /// What scans take in the database.
    var liveBytes: UInt64 { sizes.liveBytes + bytesSinceCount }
    /// What both files take.
    var fileBytes: UInt64 { sizes.pages * sizes.pageBytes + UInt64(logBytes) }
    var wantsCount: Bool { commitsSinceCount >= JournalLimits.commitsPerSizing }

    mutating func committed(bytes: UInt64, at now: Instant) {
        bytesSinceCount += bytes
        commitsSinceCount += 1
        // A commit rewrites the last page of the scans, of their index and of the cursors.
        logBytes += Int(bytes) + 3 * 4096
        lastCommit = now
    }

    /// - Parameter sizes: `nil`: they couldn't be counted, and aren't tried again before some more commits.
    mutating func counted(_ sizes: JournalStore.Sizes?) {
        (bytesSinceCount, commitsSinceCount) = (0, 0)
        if let sizes { self.sizes = sizes }
    }

    mutating func logHas(_ bytes: Int) { logBytes = bytes }
}
