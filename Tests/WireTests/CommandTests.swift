import Testing
import Vocabulary

@testable import Wire

@Suite("Commands")
struct CommandTests {
    private func decode(_ line: String) -> Result<DecodedCommand, CommandError> { CommandDecoder().decode(line.utf8) }

    private func message(_ line: String) -> String {
        switch decode(line) {
        case .success(let decoded): "no error but \(decoded)"
        case .failure(let error): error.message
        }
    }

    @Test("Every command comes back from its line", arguments: [JSONValue?.none, 7, "t", ["a": [1]]])
    func roundTrip(tag: JSONValue?) throws {
        for command in Samples.commands {
            let decoded = try CommandDecoder().decode(command.line(tag: tag)).get()
            #expect(decoded == DecodedCommand(command: command, tag: tag))
        }
    }

    @Test("Lines are as the design has them")
    func lines() {
        #expect(text(Command.torch(.on).line()) == #"{"command":"torch","mode":"on"}"# + "\n")
        #expect(text(Command.status.line(tag: 5)) == #"{"command":"status","tag":5}"# + "\n")
        #expect(text(Command.relay(.milliseconds(500)).line()) == #"{"command":"relay","durationMs":500}"# + "\n")
    }

    @Test("Unknown fields are ignored, and null is absent")
    func tolerance() throws {
        #expect(try decode(#"{"x":[{}],"command":"accept","id":null}"#).get().command == .accept(id: nil))
        #expect(try decode(" {\"command\" : \"focus\" , \"x\":null}\r\n").get().command == .focus(nil))
        #expect(try decode(#"{"command":"viewport"}"#).get().command == .viewport(.full))
        #expect(
            try decode(#"{"command":"subscribe","types":["scan","scan"]}"#).get().command
                == .subscribe(types: ["scan"], secrets: nil)
        )
        #expect(
            try decode(#"{"command":"subscribe","after":42,"journal":null}"#).get().command
                == .subscribe(types: [], after: 42, secrets: nil))
    }

    @Test("An unknown command is answered with a guess and the list")
    func unknown() {
        let message = message(#"{"command":"trogger"}"#)
        #expect(message.hasPrefix(#"unknown command "trogger", did you mean "trigger"? Commands are: accept, ack, "#))
        #expect(self.message(#"{"command":"dance"}"#).hasPrefix(#"unknown command "dance". Commands are: "#))
    }

    @Test("An error keeps the command's name and the tag, for the reply")
    func errorReply() throws {
        guard case .failure(let error) = decode(#"{"command":"torch","mode":"bright","tag":[1]}"#) else {
            Issue.record("no error")
            return
        }
        #expect(error.command == "torch")
        #expect(error.tag == [1])
        let reply = try parsed(error.reply.line(tag: error.tag))
        #expect(reply["ok"] == false)
        #expect(reply["tag"] == [1])
    }

    @Test(
        "A wrong field is named with what it must be",
        arguments: [
            (#"{"command":"torch"}"#, #"torch: "mode" is missing; it is one of off, on, auto, session"#),
            (#"{"command":"torch","mode":1}"#, #"torch: "mode" must be a string, not a number"#),
            (
                #"{"command":"torch","mode":"atuo"}"#,
                #"torch: "mode" can't be "atuo", did you mean "auto"? It is one of off, on, auto, session"#
            ), (#"{"command":"ack"}"#, #"ack: "id" is missing"#),
            (#"{"command":"camera","id":""}"#, #"camera: "id" is empty"#),
            (#"{"command":"focus","x":0.5}"#, #"focus: "y" missing; give all of x, y"#),
            (#"{"command":"focus","x":2,"y":0}"#, #"focus: "x" is 2, but it must be from 0.0 to 1.0"#),
            (#"{"command":"focus","x":"a","y":0}"#, #"focus: "x" must be a number, not a string"#),
            (
                #"{"command":"viewport","x":0.5,"y":0,"width":0.6,"height":1}"#,
                "viewport: the viewport must lie in the frame: width and height above 0, x + width and y + height at most 1"
            ),
            (
                #"{"command":"relay","durationMs":-5}"#,
                #"relay: "durationMs" must be a time from 10ms to 60s, not "-5ms""#
            ),
            (
                #"{"command":"set","values":{}}"#,
                #"set: "values" must be an object of settings, such as {"command":"set","values":{"torch.mode":"auto"}}"#
            ),
            (
                #"{"command":"subscribe","types":["scans"]}"#,
                #"subscribe: "scans" is not an event type; they are: scan, noRead, unread, state, receipt, answer, error"#
            ),
            (
                #"{"command":"subscribe","types":{}}"#,
                #"subscribe: "types" must be an array of event types, not an object"#
            ),
            (
                #"{"command":"subscribe","after":-1}"#,
                #"subscribe: "after" must be the "seq" of a scan, or 0, not -1"#
            ),
            (
                #"{"command":"subscribe","after":"42"}"#,
                #"subscribe: "after" must be the "seq" of a scan, or 0, not a string"#
            ),
            (#"{"command":7}"#, #""command" must be a string, not a number"#),
            (#"{}"#, #""command" is missing; send one JSON object per line, such as {"command":"status"}"#),
            (#"[]"#, #"an array isn't a command; send one JSON object per line, such as {"command":"status"}"#),
            (
                "hello",
                #"not JSON at byte 0: a value is expected: an object, array, string, number, true, false or null; "#
                    + #"send one JSON object per line, such as {"command":"status"}"#
            ),
        ])
    func wrong(line: String, sentence: String) { #expect(message(line) == sentence) }

    @Test("Limits are named when they are hit")
    func limits() {
        let long = String(repeating: "x", count: 70_000)
        #expect(message(#"{"command":"ack","id":""# + long + #""}"#).contains("limit of 65536 bytes"))
        #expect(message(#"{"command":"ack","id":""# + long.prefix(300) + #""}"#).contains("limit of 256 characters"))
        // One character to Swift, and of any length to those who keep it.
        let accents = "e" + String(repeating: "\u{301}", count: 300)
        #expect(message(#"{"command":"ack","id":""# + accents + #""}"#).contains("limit of 256 characters"))
        #expect(message(#"{"command":""# + accents + #""}"#).unicodeScalars.count < 700)
        #expect(message(#"{"command":"subscribe","types":[""# + long.prefix(60_000) + #""]}"#).utf8.count < 1000)
        let many = (0..<65).map { "\"k\($0)\":1" }.joined(separator: ",")
        #expect(message(#"{"command":"set","values":{"# + many + "}}").contains("limit of 64"))
        #expect(message(#"{"command":""# + long.prefix(60_000) + #""}"#).utf8.count < 1000)
        #expect(message(String(repeating: #"{"a":"#, count: 40)).contains("limit of 32"))
    }

    @Test(
        "The nearest word is guessed, a far one isn't",
        arguments: [
            ("statsu", "status"), ("STATUS", "status"), ("cameras ", "cameras"), ("resum", "resume"), ("xyz", nil),
            ("", nil),
            ("pouse", "pause"),
        ])
    func spelling(word: String, guess: String?) { #expect(Spelling.nearest(to: word, among: Command.names) == guess) }
}
