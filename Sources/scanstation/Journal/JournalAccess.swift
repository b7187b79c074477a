import ArgumentParser
import Glibc
import Journal
import Settings

/// `--config`, `--folder`, `--simulated`: the journal's file, and its errors as exit codes.
struct JournalAccess: ParsableArguments {
    @OptionGroup var place: JournalPlaceOptions
    @OptionGroup var configuration: ConfigurationOptions

    /// Opens the file and hands it to `body`. What goes wrong is printed on standard error and thrown as an exit code.
    func use<Value>(
        _ body: (_ file: JournalFile, _ settings: StationSettings) throws -> Value
    ) throws -> Value {
        try Self.use(place, configuration, body)
    }

    static func use<Value>(
        _ place: JournalPlaceOptions, _ configuration: ConfigurationOptions,
        _ body: (_ file: JournalFile, _ settings: StationSettings) throws -> Value
    ) throws -> Value {
        let settings = try configuration.load(showsWarnings: false)
        let folder = place.folder(of: settings)
        let file = JournalFile(folder: folder, payloads: settings.payloads)
        do {
            return try body(file, settings)
        } catch let error as JournalError {
            Console.fail("\(error)")
            let isThere = access(file.path, F_OK) == 0
            if error.code == .notFound, !isThere, let advice = place.advice(folder: folder, settings: settings) {
                Console.error(advice)
            }
            if error.code == .inUse {
                Console.error("for the service: sudo systemctl stop scanstation, this command again, and start it")
            }
            throw status(
                of: error, isThere: isThere, canRead: access(file.path, R_OK) == 0 && access(folder, W_OK) == 0)
        }
    }

    static func status(of error: JournalError, isThere: Bool, canRead: Bool) -> ExitCode {
        switch error.code {
        // The journal is there, but what was asked for isn't in it.
        case .notFound where isThere: ExitStatus.nothing
        case .notFound: ExitStatus.unavailable
        case .unavailable where !canRead: ExitStatus.noPermission
        case .full, .unavailable, .damaged, .newerVersion, .inUse, .failed: ExitStatus.unavailable
        }
    }
}
