import TestSupport
import Testing

@testable import ConsoleAccess

@Suite("The console's folder, for a command line")
struct ConsoleFolderTests {
    private let service = ConsoleFolder.serviceFolder

    private func running(_ folders: Set<String>, _ variables: [String: String] = ["HOME": "/home/me"]) -> String? {
        ConsoleFolder.running(environment: { variables[$0] }, isRunning: { folders.contains($0.path) })?.path
    }

    @Test("is that of the console that runs: the service's, or this user's on a desk")
    func chosen() {
        let desk = "/home/me/.local/state/scanstation/console"
        #expect(running([desk]) == desk)
        #expect(running([desk], ["XDG_STATE_HOME": "/elsewhere"]) != desk)
        #expect(
            running(["/elsewhere/scanstation/console"], ["XDG_STATE_HOME": "/elsewhere"])
                == "/elsewhere/scanstation/console")
        let standard = ConsoleFolder.standard(environment: { ["HOME": "/home/me"][$0] })?.path
        #expect(running([]) == standard)
        #expect(running([service, desk]) == standard)
    }
}
