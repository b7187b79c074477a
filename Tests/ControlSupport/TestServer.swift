import Control
import Settings
import TestSupport
import Wire

/// A control server in a folder of its own, with a handler that echoes the command's name.
package struct TestServer {
    package let folder = TemporaryFolder()
    package let server: ControlServer

    package var path: String { server.path }

    package init(
        settings: ControlSettings = ControlSettings(), journal: TestJournal? = nil,
        limits: ControlServer.Limits = ControlServer.Limits(), secrets: SecretPolicy = .asConfigured,
        door: SocketDoor = SocketDoor(secretsLimit: nil),
        handler: @escaping CommandHandler = { command, _ in Reply(command: command.name) }
    ) {
        var settings = settings
        settings.socket = folder.file("station.sock")
        server = ControlServer(
            settings: settings, secrets: secrets, journal: journal, limits: limits, door: door, handler: handler)
    }

    package func started() async throws -> TestServer {
        try await server.start()
        return self
    }

    package func notice(_ fits: @Sendable (ControlNotice) -> Bool) async -> ControlNotice? {
        await server.notices.first(fits)
    }
}
