/// Scans to an MQTT broker, with Home Assistant's discovery.
package struct MQTTSettings: Hashable, Sendable {
    package var host: String
    /// `nil`: 1883, or 8883 with TLS.
    package var port: Int?
    /// `nil`: `scanstation-NAME`. Two clients with one id push each other off the broker.
    package var clientID: String?
    package var username: String?
    /// The file with the password in its first line, or the name of a systemd credential (`LoadCredential=`). One of the two.
    package var passwordFile: String?
    package var passwordCredential: String?
    package var tls: TLSSettings?
    /// What this station's topics begin with; `{station}` is its name. No wildcards.
    package var topic = "scanstation/{station}"
    package var keepAlive: Duration = .seconds(30)
    /// How many scans may be under way to the broker at once, 1…1000.
    package var inFlight = 200
    /// Whether `torch/set`, `trigger` and `answer` topics are obeyed.
    package var commands = true
    /// Announce the station to Home Assistant.
    package var discovery = true
    package var discoveryPrefix = "homeassistant"

    package init(host: String) { self.host = host }
}

extension MQTTSettings: OutputKind {
    package static let key = "mqtt"
    package static let receiverAdvice = "check that the broker runs, outputs.mqtt.host, its user and its certificate"
    package static let sample = MQTTSettings(host: "homeassistant.local")
    package static let what = "An MQTT broker."
    package static let starter = """
        - mqtt:
            host: homeassistant.local # username and passwordFile beside it, if the broker asks for them
        """
    package static let isUsuallyRequired = true
    package var kind: OutputSettings.Kind { .mqtt(self) }
    package var place: String? { "\(host):\(port ?? (tls == nil ? 1883 : 8883))" }
    package var exclusive: (what: String, key: String)? { ("\(host) \(topic)", "topic") }
    package var files: [OutputFile] {
        [OutputFile("passwordFile", passwordFile, .secret)].compactMap { $0 } + (tls?.files ?? [])
    }
    package var transportSecurity: TLSSettings? { tls }
}
