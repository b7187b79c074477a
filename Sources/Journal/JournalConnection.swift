import GRDB

/// How every connection to the journal's file is made.
enum JournalConnection {
    /// For readers.
    static var readOnly: Configuration { configuration { $0.readonly = true } }

    /// For the one writer.
    static var writing: Configuration { configuration { $0.label = "scanstation.journal" } }

    private static func configuration(_ change: (inout Configuration) -> Void) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(JournalLimits.lockWaitSeconds)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = -\(JournalLimits.cacheKibibytes)")
        }
        change(&configuration)
        return configuration
    }
}
