import Payloads
import Settings

/// Makes the journal that the settings ask for. Nothing is opened yet.
package enum JournalFactory {
    /// - Parameters:
    ///   - payloads: how payloads are interpreted when scans are read back.
    ///   - version: of the program, written into a new journal.
    ///   - convertsOlder: see `JournalOptions`.
    ///   - log: see `JournalLog`.
    package static func make(
        _ settings: JournalSettings, payloads: PayloadSettings = PayloadSettings(), version: String = "0",
        convertsOlder: Bool = true, log: @escaping JournalLog = { _, _ in }
    ) -> any ScanJournal {
        switch settings.storage {
        case .memory: MemoryJournal(settings: settings, log: log)
        case .disk:
            SQLiteJournal(
                settings: settings, folder: settings.folder ?? StateFolder.default, payloads: payloads,
                version: version, options: JournalOptions(convertsOlder: convertsOlder), log: log)
        }
    }
}
