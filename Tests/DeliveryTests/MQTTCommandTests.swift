import Settings
import Synchronization
import TestPeers
import Testing
import Wire

@testable import Delivery

/// Commands and answers: what is understood, and that they come through a real broker.
@Suite("MQTT commands", .timeLimit(.minutes(10)))
struct MQTTCommandTests {
    private static func topics() throws -> MQTTTopics {
        MQTTTopics(MQTTSettings(host: "h"), station: "dock-1")
    }

    private func parse(_ text: String, _ topic: String, isRetained: Bool = false) throws -> Result<
        MQTTCommand, MQTTCommand.Problem
    >? {
        let message = MQTTMessage(
            topic: "scanstation/dock-1/\(topic)", payload: Array(text.utf8), isRetained: isRetained)
        return MQTTCommand.parse(message, topics: try Self.topics())
    }

    @Test(
        "The torch takes words, and what Home Assistant sends for a light",
        arguments: [
            ("ON", TorchMode.on), ("off", .off), (" auto\n", .auto), ("SESSION", .session),
            (#"{"state":"ON"}"#, .on), (#"{"state":"OFF"}"#, .off), (#"{"state":"ON","effect":"auto"}"#, .auto),
            (#"{"state":"OFF","effect":"auto"}"#, .off), (#"{"mode":"session"}"#, .session),
        ])
    func torch(text: String, mode: TorchMode) throws {
        #expect(try parse(text, "torch/set") == .success(.command(.torch(mode), tag: nil)))
    }

    @Test("The trigger takes PRESS, nothing at all, and the commands of a session")
    func trigger() throws {
        for text in ["PRESS", "press", "", "{\"command\":\"trigger\"}"] {
            #expect(try parse(text, "trigger") == .success(.command(.trigger, tag: nil)))
        }
        #expect(try parse(#"{"command":"release","tag":7}"#, "trigger") == .success(.command(.release, tag: 7)))
    }

    @Test(
        "An answer names the scan, and may move the relay",
        arguments: [
            (#"{"id":"a","accept":true}"#, Command.accept(id: "a", relay: .asConfigured)),
            (#"{"id":"a","accept":true,"relay":true}"#, .accept(id: "a", relay: .pulse(nil))),
            (#"{"id":"a","accept":true,"relay":false}"#, .accept(id: "a", relay: .none)),
            (#"{"id":"a","accept":false,"relay":false}"#, .refuse(id: "a", reason: nil)),
            (#"{"id":"a","accept":false,"reason":"sold out"}"#, .refuse(id: "a", reason: "sold out")),
            (#"{"id":"a","accept":true,"relay":"500ms"}"#, .accept(id: "a", relay: .pulse(.milliseconds(500)))),
            (#"{"id":"a","accept":true,"relay":"1.5s"}"#, .accept(id: "a", relay: .pulse(.milliseconds(1500)))),
        ])
    func answer(text: String, command: Command) throws {
        #expect(try parse(text, "answer") == .success(.answer(command, tag: nil)))
    }

    @Test("Limits of a text hold for one of a single character with accents without end, too")
    func accents() throws {
        let text = "e" + String(repeating: "\u{301}", count: 5000)
        for answer in [#"{"id":"\#(text)","accept":true}"#, #"{"id":"a","accept":true,"relay":"\#(text)"}"#] {
            guard case .failure(let problem)? = try parse(answer, "answer") else {
                Issue.record("obeyed")
                continue
            }
            #expect(problem.message.unicodeScalars.count < 300)
        }
        guard case .failure(let problem)? = try parse(text, "torch/set") else {
            Issue.record("obeyed")
            return
        }
        #expect(problem.message.unicodeScalars.count < 300)
    }

    @Test("An answer that names no scan doesn't count: a broker may deliver late what was published long ago")
    func answerWithoutID() throws {
        for text in [#"{"accept":true}"#, #"{"accept":true,"id":null,"relay":true}"#, #"{"accept":false}"#] {
            guard case .failure(let problem)? = try parse(text, "answer") else {
                Issue.record("\(text) must not be obeyed")
                continue
            }
            #expect(problem.message.contains("\"id\" is missing"))
        }
    }

    @Test(
        "What isn't understood is answered with what to send",
        arguments: [
            ("torch/set", "BLINK", "\"BLINK\" is not a mode"), ("torch/set", "{\"x\":1}", "\"state\" is missing"),
            ("torch/set", "{", "not JSON"), ("torch/set", "\u{FF}", "is not a mode"),
            ("trigger", "NOW", "send PRESS"), ("trigger", #"{"command":"set","values":{"a":1}}"#, "this topic takes"),
            ("answer", "yes", "not JSON"), ("answer", "{}", "\"accept\""),
            ("answer", #"{"accept":"yes"}"#, "\"accept\""), ("answer", #"{"accept":true,"id":7}"#, "\"id\""),
            ("answer", #"{"id":"a","accept":true,"relay":"soon"}"#, "\"relay\""),
            ("answer", #"{"id":"a","accept":true,"relay":"-5s"}"#, "\"relay\""),
            ("answer", #"{"id":"a","accept":true,"relay":"9e99s"}"#, "\"relay\""),
            ("answer", #"{"id":"a","accept":true,"relay":7}"#, "\"relay\""),
        ])
    func problems(topic: String, text: String, what: String) throws {
        guard case .failure(let problem)? = try parse(text, topic) else {
            Issue.record("\(text) must not be obeyed")
            return
        }
        #expect(problem.message.contains(what), "\(problem.message)")
    }

    @Test("A refusal without the scan's id is an objection, an acceptance isn't", arguments: [true, false])
    func objection(isAccepted: Bool) throws {
        guard case .failure(let problem)? = try parse(#"{"accept":\#(isAccepted)}"#, "answer") else {
            Issue.record("must not be obeyed")
            return
        }
        #expect(problem.isObjection != isAccepted)
    }

    @Test("Retained commands are never obeyed", arguments: ["torch/set", "trigger", "answer"])
    func retained(topic: String) throws {
        guard case .failure(let problem)? = try parse("PRESS", topic, isRetained: true) else {
            Issue.record("must not be obeyed")
            return
        }
        #expect(problem.message.contains("retained"))
    }

    @Test("Messages on other topics aren't commands")
    func otherTopics() throws { #expect(try parse("ON", "torch") == nil) }

    // MARK: Through a broker

    private static func context(
        _ commands: AsyncStream<Command>.Continuation
    ) -> OutputContext {
        var context = OutputContext(
            station: "dock-1", hasTorch: true, isTriggered: true,
            commands: { command, _ in
                commands.yield(command)
                return Reply(command: command.name)
            })
        context.place = "outputs[1]"
        return context
    }

    @Test("Torch, trigger and answer come from the broker, and are answered")
    func throughBroker() async throws {
        let broker = try await Broker()
        let (commands, commandSink) = AsyncStream<Command>.makeStream()
        let output = try await MQTTOutputTests.open(broker.settings(), context: Self.context(commandSink))
        try await MQTTOutputTests.ready(output)
        let client = try await BrokerClient(broker, "scanstation/dock-1/reply")
        try await BrokerClient.publish("ON", to: "scanstation/dock-1/torch/set", on: broker)
        #expect(await commands.first { _ in true } == .torch(.on))
        #expect(await client.next()?.json?["command"] == "torch")
        try await BrokerClient.publish("PRESS", to: "scanstation/dock-1/trigger", on: broker)
        #expect(await commands.first { _ in true } == .trigger)
        #expect(await client.next()?.json?["ok"] == true)
        try await BrokerClient.publish(
            #"{"id":"scan-1","accept":false,"reason":"unknown","tag":"x"}"#, to: "scanstation/dock-1/answer", on: broker
        )
        #expect(await commands.first { _ in true } == .refuse(id: "scan-1", reason: "unknown"))
        let told = await client.next()?.json
        #expect(told?["tag"] == "x")
        #expect(told?["command"] == "answer")
        try await BrokerClient.publish("BLINK", to: "scanstation/dock-1/torch/set", on: broker)
        let reply = await client.next()?.json
        #expect(reply?["ok"] == false)
        #expect(reply?["error"]?.stringValue?.contains("BLINK") == true)
        await output.stop()
    }

    @Test("A command that the broker kept from earlier does nothing, and the reply says so")
    func retainedThroughBroker() async throws {
        let broker = try await Broker()
        try await BrokerClient.publish("PRESS", to: "scanstation/dock-1/trigger", on: broker, retain: true)
        let client = try await BrokerClient(broker, "scanstation/dock-1/reply")
        let (commands, sink) = AsyncStream<Command>.makeStream()
        let output = try await MQTTOutputTests.open(broker.settings(), context: Self.context(sink))
        let reply = await client.next()?.json
        #expect(reply?["ok"] == false)
        #expect(reply?["error"]?.stringValue?.contains("retained") == true)
        try await BrokerClient.publish("OFF", to: "scanstation/dock-1/torch/set", on: broker)
        #expect(await commands.first { _ in true } == .torch(.off), "the first command that is obeyed")
        await output.stop()
    }

    @Test("Without commands nothing is listened to, and Home Assistant is offered no light and no button")
    func off() async throws {
        let broker = try await Broker()
        let (commands, sink) = AsyncStream<Command>.makeStream()
        let output = try await MQTTOutputTests.open(
            broker.settings { $0.commands = false }, context: Self.context(sink))
        try await MQTTOutputTests.ready(output)
        try await BrokerClient.publish("PRESS", to: "scanstation/dock-1/trigger", on: broker)
        // Home Assistant's start is answered: by then the command before it would have come, too.
        let client = try await BrokerClient(broker, "homeassistant/device/dock-1/config")
        let kept = await client.next()
        #expect(kept?.json?["cmps"]?["torch"] == nil)
        #expect(kept?.json?["cmps"]?["trigger"] == nil)
        try await BrokerClient.publish("online", to: "homeassistant/status", on: broker)
        #expect(await client.next()?.isRetained == false)
        await output.stop()
        sink.finish()
        #expect(await commands.first { _ in true } == nil)
    }

    @Test("Commands that come faster than the station works are refused, not piled up")
    func tooMany() async throws {
        let broker = try await Broker()
        let (gate, open) = AsyncStream<Void>.makeStream()
        var context = OutputContext(
            station: "dock-1",
            commands: { command, _ in
                for await _ in gate { break }
                return Reply(command: command.name)
            })
        context.place = "outputs[1]"
        var limits = MQTTOutputTests.quick
        limits.commandQueue = 1
        let output = try await MQTTOutputTests.open(broker.settings(), context: context, limits: limits)
        try await MQTTOutputTests.ready(output)
        let client = try await BrokerClient(broker, "scanstation/dock-1/reply")
        // One is carried out, one waits; one more may still find room, if the first hasn't been taken up yet.
        for _ in 0..<4 { try await BrokerClient.publish("PRESS", to: "scanstation/dock-1/trigger", on: broker) }
        let reply = await client.next()?.json
        #expect(reply?["error"]?.stringValue?.contains("waiting already") == true)
        open.finish()
        await output.stop()
    }
}
