/// Scans to an MQTT broker, with Home Assistant's discovery.
package struct MQTTSettings: Hashable, Sendable {
    package var host: String
    /// `nil`: 1883, or 8883 with TLS.
    package var port: Int?
    /// `nil`: `scanstation-NAME`. Two clients with one id push each other off the broker.
    package var clientID: String?
    package var username: String?
    /// File with the password, its first line; or the name of a systemd credential (`LoadCredential=`). One of the two.
    package var passwordFile: String?
    package var passwordCredential: String?
    package var tls: TLSSettings?
    /// Where this station's topics begin; `{station}` is its name. No wildcards.
    package var topic = "scanstation/{station}"
    package var keepAlive: Duration = .seconds(30)
    /// Scans under way to the broker at once, 1…1000; PUBACKs come back in any number.
    package var inFlight = 200
    /// Whether `torch/set`, `trigger` and `answer` topics are obeyed.
    package var commands = true
    /// Announce the station to Home Assistant.
    package var discovery = true
    package var discoveryPrefix = "homeassistant"

    package init(host: String) { self.host = host }
}
