import ConsoleAccess
import Linux
import TestSupport
import Testing
import Vocabulary

@testable import Console

/// A console over a fake station, on a free port.
struct TestConsole {
    let folder = TemporaryFolder()
    let station: FakeStation
    let gatekeeper: Gatekeeper
    let desk: StationDesk
    let api: ConsoleAPI
    let listener: ConsoleListener
    let passwordChanges = Observed(0)

    init(
        isThere: Bool = true, streams: EventHub.Limits = .init(), connections: ConnectionTable.Limits = .init(),
        limits: ConnectionMachine.Limits = .init(), web: String? = nil
    ) async throws {
        station = FakeStation(path: folder.file("console.sock"))
        if isThere { try station.start() }
        gatekeeper = Gatekeeper(ConsoleFolder(folder.file("state")))
        desk = StationDesk(path: station.path, version: "test", streams: streams)
        api = ConsoleAPI(
            version: "test", gatekeeper: gatekeeper, station: desk, pages: PageFiles(folder: web),
            passwordWasSet: { [passwordChanges] in passwordChanges.change { $0 += 1 } })
        api.setHosts(HostRule(ownNames: ["dock-1"]))
        listener = ConsoleListener(api: api, connections: connections, limits: limits)
        try await listener.listen(
            ListenPlan(option: .local, optionPort: 0, station: nil, stationPort: nil, isPasswordSet: false),
            mayMove: false)
        await desk.start()
        if isThere { await isBack() }
    }

    var browser: Browser { get async { Browser(port: await listener.port) } }

    func isBack() async {
        await turns { if case .here = await desk.withheld.link.current { true } else { false } }
    }

    func isAway() async {
        await turns { if case .away = await desk.withheld.link.current { true } else { false } }
    }

    /// A browser that is signed in.
    func owner() async throws -> Browser {
        let browser = await browser
        let key = try await gatekeeper.makeLink()
        let answer = await browser.api("POST", "/session", ["key": .string(key)])
        #expect(answer.status == 204)
        return browser
    }

    func token(_ scopes: Set<Scope>) async throws -> [String: String] {
        let made = try await gatekeeper.addToken(name: "test", scopes: scopes, expires: nil)
        return ["Authorization": "Bearer \(made.secret)"]
    }

    func end() async {
        await desk.stop()
        station.stop()
        await listener.stop()
    }
}
