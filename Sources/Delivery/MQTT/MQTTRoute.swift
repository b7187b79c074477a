import Glibc
import Settings

/// One of several ways to a broker, in terms that libmosquitto understands.
struct MQTTRoute: Hashable, Sendable {
    var host: String
    /// This machine's address to connect from; `nil`: any.
    var from: String?

    /// In the order of attempts. Encryption needs the name, which is in the certificate. Then the library chooses an address of the family,
    /// and a local address of that family tells it which family.
    static func all(to addresses: [SocketAddress], of settings: MQTTSettings) -> [MQTTRoute] {
        guard settings.tls != nil else { return addresses.map { MQTTRoute(host: $0.host) } }
        var families: [Int32] = []
        for address in addresses where !families.contains(address.family) {
            families.append(address.family)
        }
        guard families.count > 1 else { return [MQTTRoute(host: settings.host)] }
        return families.map { MQTTRoute(host: settings.host, from: $0 == AF_INET6 ? "::" : "0.0.0.0") }
    }
}
