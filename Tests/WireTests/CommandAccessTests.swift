import Testing

@testable import Wire

@Suite("What a door takes")
struct CommandAccessTests {
    private static let console: Set<String> = [
        "hello", "status", "subscribe", "trigger", "release", "confirm", "torch", "focus", "viewport", "pause",
        "resume", "cameras", "preview", "identify", "scans", "scan", "sendAgain", "testScan", "outputs", "doctor",
        "schema", "firstPassword", "aim",
    ]
    private static let movesDoor: Set<String> = ["relay", "accept", "refuse"]

    private func taken(by access: CommandAccess) -> Set<String> {
        Set(Samples.commands.filter { access.refusal(of: $0) == nil }.map(\.name))
    }

    @Test("The control socket takes everything")
    func control() { #expect(taken(by: .control) == Set(Command.names)) }

    @Test("The console takes what is listed, and the door's commands only where it is allowed")
    func consoles() {
        #expect(taken(by: .console(movesDoor: false)) == Self.console)
        #expect(taken(by: .console(movesDoor: true)) == Self.console.union(Self.movesDoor))
    }

    @Test("An output takes nothing that shows pictures, the journal or the configuration")
    func outputs() {
        #expect(
            taken(by: .output)
                == Set(Command.names).subtracting([
                    "hello", "preview", "identify", "scans", "scan", "sendAgain", "testScan", "outputs", "doctor",
                    "schema", "firstPassword", "aim",
                ]))
    }

    @Test("A refusal says what to use instead", arguments: Samples.commands)
    func refusals(command: Command) {
        guard let refusal = CommandAccess.console(movesDoor: false).refusal(of: command) else { return }
        #expect(refusal.hasPrefix("the console may not "))
        #expect(refusal.contains("scanstation ctl") || refusal.contains("console.door: on"), "\(refusal)")
    }

    @Test("The console sets the keys of its list, and no set with any other key")
    func keys() {
        let console = CommandAccess.console(movesDoor: true)
        for key in ConsoleKeys.all { #expect(console.refusal(of: .set([key: 1])) == nil) }
        let mixed = Command.set(["torch.mode": "on", "host.allowList": "/tmp/all"])
        #expect(console.refusal(of: mixed)?.contains("\"host.allowList\"") == true)
        let long = String(repeating: "x", count: 10_000)
        #expect((console.refusal(of: .set([long: 1]))?.count ?? 0) < 500)
    }
}
