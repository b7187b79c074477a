import Glibc
import Journal
import Settings
import Station
import StationConfiguration

/// Where the settings are that the console changed: beside the journal.
enum OverlayPlace {
    /// For the station itself.
    static func file(of settings: StationSettings) -> OverlayFile {
        OverlayFile(folder: settings.journal.folder ?? StateFolder.default)
    }

    /// For who asks about a station: where the service has it, if it isn't where this user's own station would have it.
    static func lookedUp(_ settings: StationSettings) -> OverlayFile {
        let own = file(of: settings)
        let service = OverlayFile(folder: JournalPlaceOptions.serviceFolder)
        let isOwn = settings.journal.folder != nil || access(own.path, F_OK) == 0
        return !isOwn && access(service.path, F_OK) == 0 ? service : own
    }
}
