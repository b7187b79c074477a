import ControlSupport
import Settings
import Synchronization
import TestPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Delivery

/// One grammar of the host's answer: each of these goes through every way by which a host may answer, and means the same.
@Suite("The host's answer, every way", .timeLimit(.minutes(10)))
struct HostAnswerGrammarTests {
    enum Meaning: Sendable {
        case accept(RelayWish)
        case refuse(String? = nil)
        /// Nothing is done, and the sender hears this.
        case problem(String)
    }

    private static let relayProblem = #""relay" must be true, false or a time from 10ms to 60s, not "#

    /// Members of a JSON object beside `id`, and what they mean.
    private static let answers: [(said: String, meaning: Meaning)] =
        [
            (#""command":"accept""#, .accept(.asConfigured)), (#""accept":true"#, .accept(.asConfigured)),
            (#""command":"accept","accept":true,"later":[1]"#, .accept(.asConfigured)),
            (#""accept":true,"reason":"member""#, .accept(.asConfigured)),
            (#""command":"refuse""#, .refuse()), (#""accept":false"#, .refuse()),
            (#""command":"refuse","accept":false,"reason":"sold out""#, .refuse("sold out")),
            (#""accept":false,"reason":null"#, .refuse()), (#""accept":false,"reason":17"#, .refuse("17")),
            (
                #""accept":false,"reason":""# + String(repeating: "x", count: 300) + #"""#,
                .refuse(String(repeating: "x", count: 256))
            ),
            // If a refusal got lost, the allow-list would decide about the door.
            (#""accept":false,"relay":"soon""#, .refuse()), (#""command":"refuse","relay":-1"#, .refuse()),
            ("", .problem(#"is missing"#)), (#""accept":null"#, .problem(#""accept" must be true or false"#)),
            (#""accept":1"#, .problem(#""accept" must be true or false"#)),
            (#""accept":"yes""#, .problem(#""accept" must be true or false"#)),
            (#""command":"accept","accept":false"#, .problem("contradicts")),
            (#""command":"refuse","accept":true"#, .problem("contradicts")),
            (#""command":"accept","accept":"no""#, .problem("contradicts")),
            (#""command":"acept","accept":true"#, .problem("unknown command")),
            (#""accept":true,"accept":false"#, .problem("the key appears twice")),
            (#""accept":true,"relay":1e999"#, .problem("the number is too large")),
            (#""accept":true,"relay":NaN"#, .problem("not JSON")),
        ] + pulses.map { (#""accept":true,"relay":"# + $0, .accept($1)) }
        + noPulses.map { (#""command":"accept","relay":"# + $0, .problem(relayProblem)) }

    private static let pulses: [(String, RelayWish)] = [
        ("null", .asConfigured), ("true", .pulse(nil)), ("false", .none), ("500", .pulse(.milliseconds(500))),
        ("250.5", .pulse(.microseconds(250_500))), ("5e2", .pulse(.milliseconds(500))),
        ("10", .pulse(.milliseconds(10))),
        ("60000", .pulse(.seconds(60))), (#""500ms""#, .pulse(.milliseconds(500))), (#""2s""#, .pulse(.seconds(2))),
        (#""1.5s""#, .pulse(.milliseconds(1500))), (#""1.5 s""#, .pulse(.milliseconds(1500))),
        (#""1min""#, .pulse(.seconds(60))), (#""0.30000000000000004s""#, .pulse(.milliseconds(300))),
    ]

    private static let noPulses = [
        "0", "1", "-1", "9.999", "-500", "60000.001", "60001", "3600000", "9223372036854775807", "99999999999999999999",
        "1e99", "[]", "[500]", "{}", #""""#, #""true""#, #""soon""#, #""500""#, #""-5s""#, #""+5s""#, #""9ms""#,
        #""61s""#,
        #""2h""#, #""9e99s""#, #""1e3ms""#, #""0x10s""#, #""nan""#, #""NaN s""#, #""infs""#, #""٥s""#, #""1,5s""#,
        #""99999999999999999999s""#, #""999999999999d""#, #""5s\n""#, #""0s""#,
    ]

    /// What the station is handed.
    private final class Ear: Sendable {
        private let heard = Mutex<[Command]>([])

        var handler: CommandHandler {
            { [self] command, _ in
                heard.withLock { $0.append(command) }
                return Reply(command: command.name)
            }
        }

        func take() -> [Command] {
            heard.withLock { heard in
                defer { heard = [] }
                return heard
            }
        }
    }

    private func check(_ way: (_ answer: String) async throws -> (heard: [Command], problem: String?)) async throws {
        for (said, meaning) in Self.answers {
            let (heard, problem) = try await way(#"{"id":"scan-1""# + (said.isEmpty ? "}" : ",\(said)}"))
            switch meaning {
            case .accept(let relay):
                #expect(heard == [.accept(id: "scan-1", relay: relay)], "\(said): \(problem ?? "")")
            case .refuse(let reason):
                #expect(heard == [.refuse(id: "scan-1", reason: reason)], "\(said): \(problem ?? "")")
            case .problem(let text):
                #expect(heard.isEmpty, "\(said) must open nothing")
                #expect(problem?.contains(text) == true, "\(said): \(problem ?? "nothing was told")")
            }
        }
    }

    @Test("On the control socket")
    func controlSocket() async throws {
        let ear = Ear()
        let test = try await TestServer(handler: ear.handler).started()
        let client = try #require(RawClient.connect(test.path))
        try await check { answer in
            let reply = await client.ask(answer)
            return (ear.take(), reply?["error"]?.stringValue)
        }
        await test.server.stop()
    }

    @Test("Over TCP")
    func tcp() async throws {
        let ear = Ear()
        let host = try TCPHost()
        var context = OutputContext(commands: ear.handler)
        context.place = "outputs[1]"
        let output = try TCPOutput(
            name: "host", settings: TCPSettings(port: host.port), secrets: .withheld, context: context,
            limits: TCPOutput.Limits(maxBadLines: .max))
        await output.start()
        let end = await host.accept()
        try await check { answer in
            let reply = await end.ask(answer)
            return (ear.take(), reply?["error"]?.stringValue)
        }
        await output.stop()
    }

    @Test("In a webhook's answer, for one scan and in the results of a batch")
    func webhook() async throws {
        let server = try await WebServer()
        let heard = Mutex<[HostAnswer]>([])
        var context = OutputContext(answer: { answer in heard.withLock { $0.append(answer) } })
        context.place = "outputs[1]"
        for isBatch in [false, true] {
            try await check { answer in
                let body = isBatch ? #"{"results":[\#(answer)]}"# : answer
                let escaped = body.utf8.map { "%" + String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
                var settings = WebhookSettings(url: server.url("/status/200?body=\(escaped)"))
                settings.timeout = .seconds(600)
                settings.answers = true
                let output = try WebhookOutput(name: "hook", settings: settings, secrets: .withheld, context: context)
                #expect(await output.deliver([Fixtures.scan(1)]).count == 1)
                let problem = await output.report().lastError
                await output.stop()
                _ = try await server.request()
                let answers = heard.withLock { heard in
                    defer { heard = [] }
                    return heard
                }
                let commands: [Command] = answers.map { answer in
                    answer.isAccepted
                        ? .accept(id: answer.scan, relay: answer.relay)
                        : .refuse(id: answer.scan, reason: answer.reason)
                }
                // The id alone says nothing of the scan, and is no mistake.
                return (commands, answer == #"{"id":"scan-1"}"# ? "is missing" : problem)
            }
        }
    }

    @Test("Over MQTT")
    func mqtt() async throws {
        let broker = try await Broker()
        let ear = Ear()
        var context = OutputContext(station: "dock-1", commands: ear.handler)
        context.place = "outputs[1]"
        let output = try await MQTTOutputTests.open(broker.settings(), context: context)
        try await MQTTOutputTests.ready(output)
        let client = try await BrokerClient(broker, "scanstation/dock-1/reply")
        try await check { answer in
            try await BrokerClient.publish(answer, to: "scanstation/dock-1/answer", on: broker)
            let reply = await client.next()?.json
            return (ear.take(), reply?["error"]?.stringValue)
        }
        await output.stop()
    }
}
