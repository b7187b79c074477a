import ControlSupport
import Glibc
import Linux
import Payloads
import Settings
import Synchronization
import TestPeers
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Delivery

/// Against a real broker.
@Suite("MQTT output", .timeLimit(.minutes(10)))
struct MQTTOutputTests {
    private static let patience: Duration = .seconds(3600)

    static let quick: MQTTOutput.Limits = {
        var limits = MQTTOutput.Limits()
        limits.reconnect = RetryMachine.Policy(initial: .milliseconds(5), maximum: .milliseconds(50))
        limits.refused = RetryMachine.Policy(initial: .milliseconds(20), maximum: .milliseconds(100))
        // For the test's own peers, which answer when the machine lets them: none is given up for being slow.
        limits.connectTimeout = patience
        limits.ackTimeout = patience
        limits.farewellTimeout = patience
        return limits
    }()

    static let context: OutputContext = {
        var context = OutputContext(station: "dock-1", version: "1.2", hasTorch: true, isTriggered: true)
        context.place = "outputs[1]"
        return context
    }()

    static func open(
        _ settings: MQTTSettings, secrets: SecretPolicy = .withheld, context: OutputContext = Self.context,
        limits: MQTTOutput.Limits = Self.quick
    ) async throws -> MQTTOutput {
        let output = try MQTTOutput(
            name: "mqtt", settings: settings, secrets: secrets, context: context, limits: limits)
        await output.start()
        return output
    }

    static func ready(_ output: MQTTOutput) async throws {
        try #require(await output.states.first { $0.state == .ready } != nil)
    }

    /// Offers scans until all are accepted, as a lane does; a batch that failed at once waits for `ready`.
    static func deliverAll(_ events: [Event], to output: MQTTOutput) async {
        var rest = events[...]
        while !rest.isEmpty {
            let receipts = await output.deliver(Array(rest.prefix(output.batchLimit)))
            rest = rest.dropFirst(receipts.prefix { $0 == .accepted }.count)
            if case .failed(_, retry: true)? = receipts.last {
                _ = await output.states.first { $0.state == .ready }
            }
        }
    }

    // MARK: Messages

    @Test("A scan is published as the event's JSON, QoS 1, not retained; the receipt is the broker's")
    func scan() async throws {
        let broker = try await Broker()
        let client = try await BrokerClient(broker, "scanstation/dock-1/scan")
        let output = try await Self.open(broker.settings())
        try await Self.ready(output)
        #expect(await output.deliver(Fixtures.scan(7)) == .accepted)
        let message = await client.next()
        #expect(message?.qos == 1)
        #expect(message?.isRetained == false)
        #expect(
            message?.payload
                == String(decoding: Fixtures.scan(7).line(secrets: .asConfigured).dropLast(), as: UTF8.self))
        let late = try await BrokerClient(broker, "scanstation/#")
        #expect(await late.first("scanstation/dock-1/last_scan")?.json?["seq"] == 7, "only the short form is kept")
        let report = await output.report()
        #expect(report.delivered == 1)
        #expect(report.kind == "mqtt")
        await output.stop()
    }

    @Test("Hundreds at once arrive once each, in order")
    func order() async throws {
        let broker = try await Broker(["max_queued_messages 0"])
        let client = try await BrokerClient(broker, "scanstation/dock-1/scan")
        let output = try await Self.open(broker.settings { $0.inFlight = 300 })
        try await Self.ready(output)
        let events = (1...700 as ClosedRange<UInt64>).map { Fixtures.scan($0) }
        await Self.deliverAll(events, to: output)
        for sequence in 1...700 { #expect(await client.next()?.json?["seq"] == .integer(Int64(sequence))) }
        await output.stop()
    }

    @Test("The latest scan is kept by the broker in a short form, cut to what Home Assistant takes as a state")
    func lastScan() async throws {
        let broker = try await Broker()
        let output = try await Self.open(broker.settings())
        try await Self.ready(output)
        let long = String(repeating: "ä", count: 300)
        #expect(await output.deliver(Fixtures.scan(3, text: long)) == .accepted)
        await output.stop()
        let client = try await BrokerClient(broker, "scanstation/dock-1/last_scan")
        let kept = await client.next()
        #expect(kept?.isRetained == true)
        #expect(kept?.json?["text"] == .string(String(repeating: "ä", count: 255)))
        #expect(kept?.json?["seq"] == 3)
    }

    @Test("States of parts are retained, the torch also as a light; other parts' states aren't wanted")
    func states() async throws {
        let broker = try await Broker()
        let output = try await Self.open(broker.settings())
        try await Self.ready(output)
        #expect(await output.deliver(Fixtures.state("running")) == .accepted)
        let torch = StateEvent(part: "torch", state: "on", fields: ["mode": "auto"])
        #expect(await output.deliver(Event(stamp: Fixtures.stamp, body: .state(torch))) == .accepted)
        #expect(output.wants(Fixtures.state(part: "session")) == false)
        #expect(output.wants(Fixtures.state(part: "output.mqtt")) == false)
        await output.stop()
        let client = try await BrokerClient(broker, "scanstation/dock-1/#")
        let prefix = "scanstation/dock-1"
        let kept = await client.latest(
            of: "\(prefix)/availability", "\(prefix)/state/camera", "\(prefix)/state/torch", "\(prefix)/torch")
        #expect(kept.values.allSatisfy { $0.isRetained })
        #expect(kept["\(prefix)/availability"]?.payload == "offline")
        #expect(kept["\(prefix)/state/camera"]?.json?["state"] == "running")
        #expect(kept["\(prefix)/state/torch"]?.json?["mode"] == "auto")
        #expect(kept["\(prefix)/torch"]?.json == ["state": "ON", "effect": "auto"])
    }

    @Test("What wasn't read, and errors, go to a topic of their own")
    func otherEvents() async throws {
        let broker = try await Broker()
        let client = try await BrokerClient(broker, "scanstation/dock-1/event")
        let output = try await Self.open(broker.settings())
        try await Self.ready(output)
        let error = ErrorEvent(part: "camera", code: "fault", message: "broken")
        #expect(await output.deliver(Event(stamp: Fixtures.stamp, body: .error(error))) == .accepted)
        #expect(await client.next()?.json?["message"] == "broken")
        await output.stop()
    }

    @Test("Online while it runs, offline when it stops, and offline by the broker when it vanishes")
    func availability() async throws {
        let broker = try await Broker()
        let client = try await BrokerClient(broker, "scanstation/dock-1/availability")
        var limits = Self.quick
        limits.reconnect = RetryMachine.Policy(initial: .milliseconds(5), maximum: .milliseconds(5))
        let output = try await Self.open(broker.settings(), limits: limits)
        #expect(await client.next()?.payload == "online")
        await output.lose(MQTTTrouble(kind: .passing, message: "the cable is off"))
        #expect(await client.next()?.payload == "offline", "the last will")
        #expect(await client.next()?.payload == "online", "it is back")
        await output.stop()
        #expect(await client.next()?.payload == "offline")
        let late = try await BrokerClient(broker, "scanstation/dock-1/availability")
        let kept = await late.next()
        #expect(kept?.payload == "offline")
        #expect(kept?.isRetained == true)
    }

    @Test("Secrets are withheld unless the output may have them", arguments: [SecretPolicy.withheld, .revealed])
    func secrets(policy: SecretPolicy) async throws {
        let broker = try await Broker()
        let client = try await BrokerClient(broker, "scanstation/dock-1/#")
        let output = try await Self.open(broker.settings(), secrets: policy)
        try await Self.ready(output)
        let text = "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP"
        #expect(await output.deliver(Fixtures.scan(text: text).parsed()) == .accepted)
        let scan = await client.first("scanstation/dock-1/scan")
        let last = await client.first("scanstation/dock-1/last_scan")
        let shows = policy == .revealed
        #expect(scan?.payload.contains("JBSWY3DPEHPK3PXP") == shows)
        #expect(last?.payload.contains("JBSWY3DPEHPK3PXP") == shows)
        await output.stop()
    }

    // MARK: What is fresh

    /// 100 s after the fixtures' stamps, on their boot.
    private static let clock = MachineClock(
        now: { Instant(nanoseconds: 100_000_000_000) },
        wallNanoseconds: { Fixtures.stamp.wallNanoseconds + 100_000_000_000 }, isSynced: { true }, boot: "b")

    private static func scan(_ sequence: UInt64, age: Int64, boot: String = "b") -> Event {
        var event = Fixtures.scan(sequence)
        event.stamp.boot = boot
        event.stamp.wallNanoseconds += (100 - age) * 1_000_000_000
        guard case .scan(var body) = event.body else { return event }
        body.scan.acceptedAt = Instant(nanoseconds: (100 - age) * 1_000_000_000)
        event.body = .scan(body)
        return event
    }

    @Test("Only the fresh part of a backlog goes where automations listen; the broker gets all of it")
    func fresh() async throws {
        let broker = try await Broker()
        let client = try await BrokerClient(broker, "scanstation/dock-1/scan", "scanstation/dock-1/fresh/#")
        let output = try MQTTOutput(
            name: "mqtt", settings: broker.settings(), secrets: .withheld, context: Self.context, limits: Self.quick,
            clock: Self.clock)
        await output.start()
        try await Self.ready(output)
        var wrongClock = Self.scan(4, age: 0, boot: "another")
        wrongClock.stamp.isClockSynced = false
        let answers = [60, 1].map { (age: Int64) in
            var stamp = Fixtures.stamp
            stamp.wallNanoseconds += (100 - age) * 1_000_000_000
            return Event(
                stamp: stamp,
                body: .answer(AnswerEvent(scan: "scan-\(age)", sequence: UInt64(age), verdict: .accepted)))
        }
        let events = [
            Self.scan(1, age: 3600), Self.scan(2, age: 11), Self.scan(3, age: 5000, boot: "another"), wrongClock,
            Self.scan(5, age: 10), Self.scan(6, age: 0), Self.scan(7, age: 1, boot: "another"),
        ]
        await Self.deliverAll(events + answers, to: output)
        var all: [Int64] = []
        var fresh: [Int64] = []
        // The last of them is published last.
        while let message = await client.next() {
            let sequence = message.json?["seq"]?.integerValue ?? 0
            switch message.topic {
            case "scanstation/dock-1/scan": all.append(sequence)
            case "scanstation/dock-1/fresh/scan": fresh.append(sequence)
            default: #expect(sequence == 1, "an answer that is a minute old makes nobody act")
            }
            #expect(!message.isRetained)
            if message.topic == "scanstation/dock-1/fresh/event" { break }
        }
        #expect(all == Array(1...7))
        #expect(fresh == [5, 6, 7])
        await output.stop()
    }

    // MARK: The broker goes and comes back

    @Test("A broker that is stopped and started under delivery gets every scan, in order")
    func restarts() async throws {
        let broker = try await Broker([
            "persistence true", "persistence_location {folder}/", "max_queued_messages 0",
        ])
        // A session that the broker keeps, even over its restarts.
        let client = try await BrokerClient(
            broker, "scanstation/dock-1/scan", arguments: ["-c", "-i", "receiver"])
        let output = try await Self.open(broker.settings { $0.inFlight = 50 })
        try await Self.ready(output)
        let count = 1500
        let events = (1...UInt64(count)).map { Fixtures.scan($0) }
        async let delivered: Void = Self.deliverAll(events, to: output)
        for mark in [300, 800] {
            var sequence: Int64 = 0
            while sequence < mark { sequence = await client.next()?.json?["seq"]?.integerValue ?? .max }
            await broker.stop()
            try await broker.restart()
        }
        await delivered
        await output.stop()
    }

    @Test("No scan is missing and none comes out of order, whatever is repeated")
    func sequenceOverRestart() async throws {
        let broker = try await Broker([
            "persistence true", "persistence_location {folder}/", "max_queued_messages 0",
        ])
        let client = try await BrokerClient(
            broker, "scanstation/dock-1/scan", arguments: ["-c", "-i", "receiver"])
        let output = try await Self.open(broker.settings { $0.inFlight = 50 })
        try await Self.ready(output)
        let count: Int64 = 1000
        let events = (1...UInt64(count)).map { Fixtures.scan($0) }
        async let delivered: Void = Self.deliverAll(events, to: output)
        var newest: Int64 = 0
        var repeated = 0
        var hasRestarted = false
        while newest < count {
            let sequence = try #require(await client.next()?.json?["seq"]?.integerValue)
            #expect(sequence <= newest + 1, "none is missing before \(sequence)")
            if sequence <= newest { repeated += 1 }
            newest = max(newest, sequence)
            if newest >= 200, !hasRestarted {
                hasRestarted = true
                await broker.stop()
                try await broker.restart()
            }
        }
        await delivered
        // What was under way on our side and on the receiver's, which may lose the broker more than once over one restart.
        #expect(repeated <= 4 * (50 + 20))
        await output.stop()
    }

    @Test("A broker that lost what it retained gets it back")
    func retainedAgain() async throws {
        let broker = try await Broker()
        let output = try await Self.open(broker.settings())
        try await Self.ready(output)
        #expect(await output.deliver(Fixtures.state("running")) == .accepted)
        await broker.stop(SIGKILL)
        _ = await output.states.first { $0.state == .waiting }
        #expect(await output.deliver(Fixtures.state("suspended")) == .accepted, "the latest is kept for later")
        try await broker.restart()
        let client = try await BrokerClient(broker, "#")
        let camera = "scanstation/dock-1/state/camera"
        let kept = await client.latest(
            of: "scanstation/dock-1/availability", "homeassistant/device/dock-1/config", camera)
        #expect(kept["scanstation/dock-1/availability"]?.payload == "online")
        #expect(kept[camera]?.json?["state"] == "suspended")
        await output.stop()
    }

    @Test("While there is no broker, a scan fails at once, worth a retry, and the state says why")
    func noBroker() async throws {
        let place = try LoopbackSocket()
        var settings = MQTTSettings(host: "127.0.0.1")
        settings.port = place.port
        let output = try await Self.open(settings)
        let state = await output.states.first { $0.detail?.contains("refuses the connection") == true }
        #expect(state?.state == .waiting)
        let receipt = await output.deliver(Fixtures.scan())
        guard case .failed(let reason, retry: true) = receipt else {
            Issue.record("must fail, worth a retry: \(receipt)")
            return
        }
        #expect(reason.contains("refuses the connection"))
        await output.stop()
    }

    // MARK: Limits and rights

    @Test("A message that the broker says is too large isn't offered again; the next one goes through")
    func oversize() async throws {
        let broker = try await Broker(["max_packet_size 2000"])
        let output = try await Self.open(broker.settings { $0.discovery = false })
        try await Self.ready(output)
        let large = Fixtures.scan(1, text: String(repeating: "x", count: 2000))
        let receipt = await output.deliver(large)
        guard case .failed(let reason, retry: false) = receipt else {
            Issue.record("must fail for good: \(receipt)")
            return
        }
        #expect(reason.contains("more than the broker"))
        #expect(await output.deliver(Fixtures.scan(2)) == .accepted)
        await output.stop()
    }

    @Test("Missing rights are reported; the scan isn't given up")
    func accessList() async throws {
        let broker = try await Broker(
            ["acl_file {folder}/acl"],
            files: ["acl": "topic read #\ntopic write scanstation/dock-1/availability\n"])
        let output = try await Self.open(broker.settings())
        try await Self.ready(output)
        let receipt = await output.deliver(Fixtures.scan())
        guard case .failed(let reason, retry: true) = receipt else {
            Issue.record("must fail, worth a retry: \(receipt)")
            return
        }
        #expect(reason.contains("doesn't let us publish to scanstation/dock-1/scan"))
        let state = await output.states.first { $0.state == .stalled }
        #expect(state?.detail == reason)
        await output.stop()
    }

    @Test("A refused scan is still reported when the event before it was taken")
    func accessListAfterState() async throws {
        let broker = try await Broker(
            ["acl_file {folder}/acl"],
            files: ["acl": "topic read #\ntopic write scanstation/dock-1/availability\n"])
        let output = try await Self.open(broker.settings())
        try await Self.ready(output)
        let receipts = await output.deliver([Fixtures.state("running"), Fixtures.scan()])
        #expect(receipts.first == .accepted)
        #expect(receipts.count == 2)
        #expect(await output.report().status.state == .stalled)
        await output.stop()
    }

    @Test("A fight with another client over an id is reported")
    func takeover() async throws {
        let broker = try await Broker()
        var limits = Self.quick
        limits.shortLife = .seconds(60)
        let output = try await Self.open(broker.settings(), limits: limits)
        try await Self.ready(output)
        let arguments = ["-h", "localhost", "-p", "\(broker.port)", "-i", "scanstation-dock-1", "-t", "x"]
        let rival = try ToolProcess("mosquitto_sub", arguments)
        let state = await output.states.first { $0.detail?.contains("the same id \"scanstation-dock-1\"") == true }
        #expect(state?.state == .waiting)
        #expect(state?.detail?.contains("outputs[1].mqtt.clientID") == true)
        // Not by SIGTERM: mosquitto_sub 2.0.11 waits for its own lock forever, now and then, if it loses its connection while it connects.
        await rival.stop(SIGKILL)
        try await Self.ready(output)
        #expect(await output.deliver(Fixtures.scan()) == .accepted)
        await output.stop()
    }
}

extension Event {
    /// With the payload that a station would find in the text.
    func parsed() -> Event {
        guard case .scan(var body) = body else { return self }
        body.payload = PayloadInterpreter().interpret(body.scan.symbol)
        return Event(stamp: stamp, body: .scan(body))
    }
}
