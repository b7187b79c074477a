import ControlSupport
import Settings
import TestPeers
import TestSupport
import Testing
import Wire

@testable import Delivery

/// The payload against what Home Assistant documents of its MQTT integration: the device message with `dev`, `o` and `cmps`, and
/// the keys that each platform knows and demands.
@Suite("Home Assistant discovery", .timeLimit(.minutes(10)))
struct HomeAssistantDiscoveryTests {
    private struct Platform {
        var required: Set<String>
        var allowed: Set<String>
    }

    private static let common: Set<String> = ["p", "unique_id", "name", "icon", "entity_category"]

    /// https://www.home-assistant.io/integrations/: tag.mqtt, event.mqtt, sensor.mqtt, light.mqtt (schema json), button.mqtt.
    private static let platforms: [String: Platform] = [
        "tag": Platform(required: ["p", "topic"], allowed: ["value_template"]),
        "event": Platform(
            required: ["p", "unique_id", "state_topic", "event_types"],
            allowed: common.union(["value_template", "device_class", "json_attributes_topic"])),
        "sensor": Platform(
            required: ["p", "unique_id", "state_topic"],
            allowed: common.union([
                "value_template", "json_attributes_topic", "json_attributes_template", "force_update", "device_class",
            ])),
        "light": Platform(
            required: ["p", "unique_id", "schema", "command_topic"],
            allowed: common.union(["state_topic", "supported_color_modes", "effect", "effect_list", "brightness"])),
        "button": Platform(
            required: ["p", "unique_id", "command_topic"], allowed: common.union(["payload_press"])),
    ]

    private func payload(
        station: String = "dock-1", hasTorch: Bool = true, isTriggered: Bool = true, obeys: Bool = true
    ) throws -> (payload: JSONValue, topics: MQTTTopics) {
        let topics = MQTTTopics(MQTTSettings(host: "h"), station: station)
        let discovery = HomeAssistantDiscovery(
            topics: topics, station: station, version: "1.2", hasTorch: hasTorch, isTriggered: isTriggered, obeys: obeys
        )
        return (discovery.payload, topics)
    }

    @Test("The device has what Home Assistant demands: identifiers, an origin with a name, availability, components")
    func device() throws {
        let (payload, _) = try payload()
        #expect(Set(payload.objectValue?.keys.map { $0 } ?? []) == ["dev", "o", "avty", "cmps"])
        let device = payload["dev"]?.objectValue ?? [:]
        #expect(device["ids"] == ["scanstation_dock-1"])
        #expect(device["name"] == "dock-1")
        #expect(Set(device.keys).isSubset(of: ["ids", "name", "mf", "mdl", "sw", "hw", "sn", "sa", "cu"]))
        #expect(payload["o"] == ["name": "scanstation", "sw": "1.2"])
        #expect(payload["avty"] == ["topic": "scanstation/dock-1/availability"])
    }

    @Test("Each component has the keys that its platform demands, and no other than it knows")
    func components() throws {
        let components = try payload().payload["cmps"]?.objectValue ?? [:]
        #expect(
            Set(components.keys) == ["tag", "scan", "notice", "last_scan", "torch", "trigger", "camera"])
        for (id, component) in components {
            let fields = component.objectValue ?? [:]
            let platform = try #require(Self.platforms[fields["p"]?.stringValue ?? ""], "\(id)")
            #expect(platform.required.subtracting(fields.keys).isEmpty, "\(id)")
            let unknown = Set(fields.keys).subtracting(platform.required).subtracting(platform.allowed)
            #expect(unknown.isEmpty, "\(id): \(unknown)")
        }
    }

    @Test("Ids are unique, and made of letters, digits, _ and - whatever the station is called")
    func identifiers() throws {
        var all: Set<String> = []
        let names = ["dock-1", "dock 1", "dock/1", "Tür +#", "", "\u{1F4E6}", "dock_1"]
        for name in names {
            let (payload, topics) = try payload(station: name)
            let ids = (payload["cmps"]?.objectValue ?? [:]).compactMap { $0.value["unique_id"]?.stringValue }
            #expect(ids.count == 6)
            for id in ids { #expect(id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }) }
            #expect(all.isDisjoint(with: ids), "\(name)")
            all.formUnion(ids)
            #expect(topics.discovery.split(separator: "/").count == 4)
        }
    }

    @Test("The light is offered only where there is a torch, the button only where sessions are triggered")
    func parts() throws {
        let none = try payload(hasTorch: false, isTriggered: false).payload["cmps"]
        #expect(none?["torch"] == nil)
        #expect(none?["trigger"] == nil)
        #expect(try payload(obeys: false).payload["cmps"]?["torch"] == nil)
    }

    @Test("The station listens and publishes where it says")
    func topics() throws {
        let (payload, topics) = try payload()
        let components = payload["cmps"]
        #expect(components?["tag"]?["topic"] == .string(topics.freshScan))
        #expect(components?["scan"]?["state_topic"] == .string(topics.freshScan))
        #expect(components?["notice"]?["state_topic"] == .string(topics.freshEvent))
        #expect(components?["torch"]?["command_topic"] == .string(topics.torchCommand))
        #expect(components?["torch"]?["state_topic"] == .string(topics.torch))
        #expect(components?["trigger"]?["command_topic"] == .string(topics.trigger))
        #expect(components?["camera"]?["state_topic"] == .string(topics.state(of: "camera")))
        #expect(components?["last_scan"]?["state_topic"] == .string(topics.lastScan))
    }

    /// As Home Assistant does it: Jinja, with the message as `value_json`.
    private func render(_ template: JSONValue?, _ event: Event) async throws -> JSONValue {
        let script = """
            import json, sys, jinja2
            environment = jinja2.Environment()
            environment.filters["tojson"] = json.dumps
            print(environment.from_string(sys.argv[1]).render(value_json=json.loads(sys.argv[2])))
            """
        let arguments = [
            "-c", script, try #require(template?.stringValue),
            String(decoding: event.line(secrets: .asConfigured), as: UTF8.self),
        ]
        let jinja: Comment = "this test needs Jinja: apt-get install python3-jinja2"
        let python = try ToolProcess("/usr/bin/python3", arguments)
        let said = await python.output.readToEnd()
        try #require(await python.wait() == 0, jinja)
        return try JSONValue(parsing: said)
    }

    @Test("The notice of an answer is its verdict, one of the event types that are announced")
    func verdicts() async throws {
        let notice = try payload().payload["cmps"]?["notice"]
        let types = notice?["event_types"]?.arrayValue ?? []
        let bodies: [(String, Event.Body)] = [
            (
                "accepted",
                .answer(AnswerEvent(scan: "scan-1", sequence: 1, verdict: .accepted, by: "till", relay: true))
            ),
            ("refused", .answer(AnswerEvent(scan: "scan-1", sequence: 1, verdict: .refused, reason: "sold out"))),
            ("unanswered", .answer(AnswerEvent(scan: "scan-1", sequence: 1, verdict: .none))),
            (
                "no_read",
                .noRead(NoReadEvent(session: 1, trigger: .pulse, reason: .timeout, duration: .seconds(5)))
            ), ("error", .error(ErrorEvent(part: "camera", code: "fault", message: "it \"broke\""))),
        ]
        for (type, body) in bodies {
            let event = try await render(notice?["value_template"], Event(stamp: Fixtures.stamp, body: body))
            #expect(event["event_type"]?.stringValue == type)
            #expect(types.contains(.string(type)))
            switch body {
            case .answer(let answer):
                #expect(event["scan"] == "scan-1")
                #expect(event["reason"]?.stringValue == answer.reason)
                #expect(event["by"]?.stringValue == answer.by)
            case .error: #expect(event["message"] == "it \"broke\"")
            default: break
            }
        }
    }

    @Test("It is retained on the discovery topic, and sent again when Home Assistant starts")
    func throughBroker() async throws {
        let broker = try await Broker()
        let output = try await MQTTOutputTests.open(broker.settings { $0.discoveryPrefix = "ha" })
        try await MQTTOutputTests.ready(output)
        let client = try await BrokerClient(broker, "ha/device/+/config")
        let kept = await client.next()
        #expect(kept?.topic == "ha/device/dock-1/config")
        #expect(kept?.isRetained == true)
        #expect(kept?.json?["cmps"]?["scan"]?["p"] == "event")
        for birth in ["ha/status", "homeassistant/status"] {
            try await BrokerClient.publish("offline", to: birth, on: broker)
            try await BrokerClient.publish("online", to: birth, on: broker)
            let again = await client.next()
            #expect(again?.isRetained == false)
            #expect(again?.payload == kept?.payload)
        }
        await output.stop()
    }
}
