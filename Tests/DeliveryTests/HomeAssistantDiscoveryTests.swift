import ScanCore
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
        let topics = try MQTTTopics(MQTTSettings(host: "h"), station: station, place: "outputs[0]")
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
        #expect(components?["tag"]?["topic"] == .string(topics.scan))
        #expect(components?["torch"]?["command_topic"] == .string(topics.torchCommand))
        #expect(components?["torch"]?["state_topic"] == .string(topics.torch))
        #expect(components?["trigger"]?["command_topic"] == .string(topics.trigger))
        #expect(components?["camera"]?["state_topic"] == .string(topics.state(of: "camera")))
        #expect(components?["last_scan"]?["state_topic"] == .string(topics.lastScan))
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
