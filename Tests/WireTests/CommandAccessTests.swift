import Testing

@testable import Wire

@Suite("What a door takes")
struct CommandAccessTests {
    private static let console: Set<String> = [
        "hello", "status", "subscribe", "trigger", "release", "confirm", "torch", "focus", "viewport", "pause",
        "resume", "cameras", "preview", "identify", "scans", "scan", "sendAgain", "testScan", "outputs", "doctor",
        "schema", "change", "keep", "takeBack", "firstPassword", "aim",
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
                    "schema", "change", "keep", "takeBack", "firstPassword", "aim",
                ]))
    }

    @Test("A refusal says what to use instead", arguments: Samples.commands)
    func refusals(command: Command) {
        guard let refusal = CommandAccess.console(movesDoor: false).refusal(of: command) else { return }
        #expect(refusal.hasPrefix("the console may not "))
        #expect(refusal.contains("scanstation ctl") || refusal.contains("console.door: on"), "\(refusal)")
    }

    @Test("The console changes the keys of its list, and nothing together with any other key")
    func keys() {
        let console = CommandAccess.console(movesDoor: true)
        func refusal(_ values: [String: JSONValue]) -> String? {
            console.refusal(of: .change(values, revision: "0", author: nil))
        }
        for key in ConsoleKeys.all { #expect(refusal([key: 1]) == nil) }
        #expect(refusal(["torch.mode": "on", "host.allowList": "/tmp/all"])?.contains("\"host.allowList\"") == true)
        let long = String(repeating: "x", count: 10_000)
        #expect((refusal([long: 1])?.count ?? 0) < 500)
    }
}
