/// The durable record of scans between the scan loop and the outputs.
package struct JournalSettings: Hashable, Sendable {
    package enum Storage: String, CaseIterable, Hashable, Sendable {
        /// A scan is on disk before the beep.
        case disk
        /// For a desk: scans are only in memory and are gone when the process ends.
        case memory
    }

    package var storage: Storage = .disk
    /// Folder of `journal.db`. Default: `$STATE_DIRECTORY`, else `/var/lib/scanstation` for root, else
    /// `$XDG_STATE_HOME/scanstation` or `~/.local/state/scanstation`.
    package var folder: String?
    /// Beyond these limits, the oldest scans are dropped as soon as every required output has answered for them. Undelivered ones stay;
    /// when they reach `maxScans` or `maxBytes`, the station stops accepting scans.
    package var maxScans = 1_000_000
    package var maxBytes = 1 << 30
    /// `nil`: no limit. Counts only while the clock is synchronised.
    package var maxAge: Duration?
    /// A commit that takes longer makes the state `storageSlow`.
    package var slowCommit: Duration = .milliseconds(250)

    package init() {}
}
