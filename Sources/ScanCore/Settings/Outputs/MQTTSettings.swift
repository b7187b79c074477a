/// Scans to an MQTT broker, with Home Assistant's discovery.
public struct MQTTSettings: Hashable, Sendable {
    public var host: String
    /// `nil`: 1883, or 8883 with TLS.
    public var port: Int?
    /// `nil`: `scanstation-NAME`. Two clients with one id push each other off the broker.
    public var clientID: String?
    public var username: String?
    /// File with the password, its first line; or the name of a systemd credential (`LoadCredential=`). One of the two.
    public var passwordFile: String?
    public var passwordCredential: String?
    public var tls: TLSSettings?
    /// Where this station's topics begin; `{station}` is its name. No wildcards.
    public var topic = "scanstation/{station}"
    public var keepAlive: Duration = .seconds(30)
    /// Scans under way to the broker at once, 1…1000; PUBACKs come back in any number.
    public var inFlight = 200
    /// Whether `torch/set`, `trigger` and `answer` topics are obeyed.
    public var commands = true
    /// Announce the station to Home Assistant.
    public var discovery = true
    public var discoveryPrefix = "homeassistant"

    public init(host: String) { self.host = host }
}
