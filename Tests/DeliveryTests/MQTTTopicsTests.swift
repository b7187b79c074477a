import Settings
import Testing

@testable import Delivery

@Suite("MQTT topics")
struct MQTTTopicsTests {
    private func make(_ topic: String, station: String = "dock-1") throws -> MQTTTopics {
        var settings = MQTTSettings(host: "h")
        settings.topic = topic
        return MQTTTopics(settings, station: station)
    }

    private func made(_ topic: String, prefix: String = "homeassistant") throws -> any Output {
        var settings = MQTTSettings(host: "h")
        settings.topic = topic
        settings.discoveryPrefix = prefix
        var context = OutputContext()
        context.place = "outputs[1]"
        return try OutputFactory.make(OutputSettings(name: "broker", kind: .mqtt(settings)), context: context)
    }

    @Test(
        "The station's name becomes one level of a topic",
        arguments: [
            ("dock-1", "dock-1"), ("dock 1", "dock_1"), ("a/b", "a_b"), ("+#", "__"), ("Tür", "Tür"), ("", "_"),
            ("$SYS", "_SYS"), ("a\u{0}b\n", "a_b_"), ("倉庫", "倉庫"),
        ])
    func station(name: String, level: String) throws {
        #expect(try make("scans/{station}", station: name).scan == "scans/\(level)/scan")
    }

    @Test(
        "A topic that can't be published to is refused before anything starts, with its place",
        arguments: [
            ("scans/+", "wildcard"), ("scans/#", "wildcard"), ("", "is empty"), ("/scans", "empty level"),
            ("scans/", "empty level"), ("a//b", "empty level"), ("a\u{0}b", "NUL"), ("$SYS/x", "begins with $"),
            ("a\u{7}b", "doesn't allow"), (String(repeating: "a", count: 256), "more than the limit of 255"),
        ])
    func badTopics(topic: String, what: String) {
        let error = #expect(throws: DeliveryError.self) { try made(topic) }
        #expect(error?.code == .badSetting)
        #expect(error?.message.hasPrefix("outputs[1].mqtt.topic: ") == true)
        #expect(error?.message.contains(what) == true, "\(error?.message ?? "")")
        let other = #expect(throws: DeliveryError.self) { try made("scans", prefix: topic) }
        #expect(other?.message.hasPrefix("outputs[1].mqtt.discoveryPrefix: ") == true)
    }

    @Test(
        "Settings that can't work are refused before anything starts",
        arguments: [
            "host", "port", "inFlight", "keepAlive", "passwordFile", "username", "clientID", "tls",
        ])
    func badSettings(key: String) {
        var settings = MQTTSettings(host: "h")
        switch key {
        case "host": settings.host = ""
        case "port": settings.port = 70_000
        case "inFlight": settings.inFlight = 0
        case "keepAlive": settings.keepAlive = .seconds(1)
        case "passwordFile":
            settings.username = "u"
            settings.passwordFile = "/a"
            settings.passwordCredential = "b"
        case "username": settings.passwordFile = "/a"
        case "clientID": settings.clientID = "a\u{0}"
        default:
            settings.tls = TLSSettings()
            settings.tls?.certificate = "/a"
        }
        var context = OutputContext()
        context.place = "outputs[1]"
        let output = OutputSettings(name: "broker", kind: .mqtt(settings))
        let error = #expect(throws: DeliveryError.self) { try OutputFactory.make(output, context: context) }
        #expect(error?.message.hasPrefix("outputs[1].mqtt.\(key)") == true, "\(error?.message ?? "")")
    }
}
