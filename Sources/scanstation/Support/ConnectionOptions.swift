import ArgumentParser
import Control
import Glibc
import Settings
import StationConfiguration
import Wire

/// `--socket PATH`, and asking the station behind it.
struct ConnectionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The station's control socket. Default: as the configuration says.", valueName: "path"))
    var socket: String?
    @Option(
        help: ArgumentHelp("How long to wait for the station's answer: 500ms, 5s, or seconds.", valueName: "time"),
        transform: { try TimeArgument.parse($0, in: .milliseconds(1)...(.seconds(3600)), bare: "s") })
    var timeout = Duration.seconds(5)
    @OptionGroup var configuration: ConfigurationOptions

    /// The socket to talk to: the option, else where a station with this configuration has it, else that of the service.
    func path() throws -> String {
        if let socket { return socket }
        let control: ControlSettings
        do throws(ConfigurationErrors) { control = try configuration.read().settings.control } catch {
            // A running station keeps the configuration that it has: better ask it than not find it.
            let usual = SocketPath.find()
            guard access(usual, F_OK) == 0 else { return SocketPath.resolve(try configuration.load().control) }
            let problem = error.errors.first.map { "\($0)" } ?? "the configuration has errors"
            Console.error("\(problem); asking the station at \(usual)")
            return usual
        }
        let path = SocketPath.resolve(control)
        let service = "/run/scanstation/station.sock"
        return access(path, F_OK) != 0 && access(service, F_OK) == 0 ? service : path
    }

    func connect() async throws -> ControlClient {
        do { return try await ControlClient.connect(path: path()) } catch let error as ControlError {
            Console.fail("\(error)")
            throw error.code == .noPermission ? ExitStatus.noPermission : ExitStatus.unavailable
        }
    }

    /// Sends one command and gives the reply.
    func ask(_ command: Command) async throws -> JSONValue {
        let client = try await connect()
        do {
            let reply = try await client.send(command, timeout: timeout)
            await client.close()
            return reply
        } catch let error as ControlError {
            Console.fail("\(error)")
            throw ExitStatus.unavailable
        }
    }

    /// The reply, or `nil` when no station is running (for commands that then look for themselves).
    func askIfRunning(_ command: Command) async -> JSONValue? {
        guard let path = try? path(), let client = try? await ControlClient.connect(path: path) else { return nil }
        let reply = try? await client.send(command, timeout: timeout)
        await client.close()
        return reply
    }
}
