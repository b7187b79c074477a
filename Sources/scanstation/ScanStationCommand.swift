import ArgumentParser
import Glibc
import Vocabulary

/// The command line. Each subcommand is one file; what they do lives in the modules.
@main
struct ScanStationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scanstation",
        abstract: "Reads barcodes with a camera and hands each scan to a serial port, a socket, a broker or a host.",
        discussion: """
            Start the station with `scanstation run`; on a desk without camera and GPIO lines, `scanstation run --simulate`.
            Then watch it from another terminal with `scanstation watch`, and steer it with `scanstation ctl`.
            When something doesn't work: `scanstation doctor`.
            """,
        version: "scanstation \(StationVersion.text)",
        subcommands: [
            RunCommand.self, ScanCommand.self, WatchCommand.self, ControlCommand.self, OutputsCommand.self,
            JournalCommand.self, CamerasCommand.self, CameraCommand.self, LinesCommand.self, DoctorCommand.self,
            ConfigCommand.self, ConsoleCommand.self,
        ])

    static func main() async {
        // libcamera writes to standard error by itself: errors are wanted there, its chatter isn't, least of all in the panel.
        setenv("LIBCAMERA_LOG_LEVELS", "*:ERROR", 0)
        if let problem = StartProblem.text() {
            Console.fail(problem)
            exit(withError: ExitStatus.unavailable)
        }
        do {
            var command = try parseAsRoot(Array(ProgramArguments.all.dropFirst()))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch { end(with: error) }
    }

    /// Ends a command as the parser does, but with the name before the message, as every error has it.
    private static func end(with error: any Error) -> Never {
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        guard code == .validationFailure, message.hasPrefix(parsersPrefix) else { exit(withError: error) }
        if let unknown = UnknownCommand(arguments: ProgramArguments.all.dropFirst(), of: self) {
            Console.fail(unknown.message)
        } else {
            Console.fail(String(message.dropFirst(parsersPrefix.count)))
        }
        _exit(code.rawValue)
    }

    private static let parsersPrefix = "Error: "
}
