import ScanCore
import Testing
import Wire

@testable import scanstation

@Suite("ctl accept")
struct AnswerControlTests {
    @Test(
        "asks for the relay as it is told",
        arguments: [
            ([], RelayWish.asConfigured), (["--relay"], .pulse(nil)), (["--no-relay"], RelayWish.none),
            (["--relay-for", "500ms"], .pulse(.milliseconds(500))),
            (["--relay-for", "1.5s"], .pulse(.milliseconds(1500))),
            (["--relay-for", "250"], .pulse(.milliseconds(250))),
        ])
    func relay(_ arguments: [String], _ wish: RelayWish) throws {
        let control = try AcceptControl.parse(arguments + ["01a1"])
        #expect(control.command == .accept(id: "01a1", relay: wish))
    }

    @Test(
        "the relay takes the same times",
        arguments: [("500ms", Duration.milliseconds(500)), ("1.5s", .milliseconds(1500)), ("250", .milliseconds(250))])
    func pulse(_ text: String, _ length: Duration) throws {
        #expect(try RelayControl.parse(["--for", text]).command == .relay(length))
    }

    @Test("refuses what isn't the length of a pulse", arguments: ["0", "-5ms", "2h", "1e3s", "nan", "", "s", "5 s"])
    func nonsense(_ text: String) {
        #expect(throws: (any Error).self) { try AcceptControl.parse(["--relay-for", text]) }
        #expect(throws: (any Error).self) { try RelayControl.parse(["--for", text]) }
    }
}
