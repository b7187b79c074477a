import Settings
import TestSupport
import Wire

@testable import Delivery

/// A control server in a folder of its own, with a handler that echoes the command's name.
struct TestServer {
    let folder = TemporaryFolder()
    let server: ControlServer

    var path: String { server.path }

    init(
        settings: ControlSettings = ControlSettings(), journal: TestJournal? = nil,
        limits: ControlServer.Limits = ControlServer.Limits(),
        handler: @escaping CommandHandler = { command, _ in Reply(command: command.name) }
    ) {
        var settings = settings
        settings.socket = folder.file("station.sock")
        server = ControlServer(
            settings: settings, secrets: .asConfigured, journal: journal, limits: limits, handler: handler)
    }

    func started() async throws -> TestServer {
        try await server.start()
        return self
    }

    func notice(_ fits: @Sendable (ControlNotice) -> Bool) async -> ControlNotice? { await server.notices.first(fits) }
}
