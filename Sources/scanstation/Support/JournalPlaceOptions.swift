import ArgumentParser
import Glibc
import Journal
import Settings
import Station

/// `--folder`, `--simulated`: which journal's file is meant.
struct JournalPlaceOptions: ParsableArguments {
    /// Where the service has it.
    static let serviceFolder = "/var/lib/scanstation"

    @Option(
        help: ArgumentHelp(
            "The journal's folder. Default: journal.folder of the configuration, else where the station keeps its state.",
            valueName: "folder"))
    var folder: String?
    @Flag(help: "The journal of `run --simulate`, which is in a folder below the station's.") var simulated = false

    func validate() throws {
        if folder != nil, simulated {
            throw ValidationError("--folder and --simulated each name a journal: use only one of them")
        }
    }

    /// The folder: the given one, else the one that a station with these settings uses, else the service's.
    func folder(of settings: StationSettings) -> String {
        if let folder { return folder }
        if simulated { return settings.withReplayedScene.journal.folder ?? StateFolder.default }
        let own = settings.journal.folder ?? StateFolder.default
        let hasOwn = Self.hasJournal(own) || settings.journal.folder != nil
        return !hasOwn && Self.hasJournal(Self.serviceFolder) ? Self.serviceFolder : own
    }

    func file(of settings: StationSettings) -> JournalFile {
        JournalFile(folder: folder(of: settings), payloads: settings.payloads)
    }

    /// What the user may have meant when `folder` has no journal; `nil`: nothing comes to mind.
    func advice(folder: String, settings: StationSettings) -> String? {
        if settings.journal.storage == .memory, self.folder == nil {
            return "journal.storage is memory: there is no file. `scanstation watch --after 0` shows what the running "
                + "station has"
        }
        let desk = settings.withReplayedScene.journal.folder ?? ""
        return !simulated && desk != folder && Self.hasJournal(desk)
            ? "the journal of `run --simulate` is in \(desk): add --simulated" : nil
    }

    private static func hasJournal(_ folder: String) -> Bool { access(folder + "/journal.db", F_OK) == 0 }
}
