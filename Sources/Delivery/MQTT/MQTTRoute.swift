import Glibc
import Settings

/// One of several ways to a broker, as libmosquitto can be told of it.
struct MQTTRoute: Hashable, Sendable {
    var host: String
    /// An address of this machine to speak from; `nil`: whichever.
    var from: String?

    /// In the order in which they are to be tried. Encryption needs the name, which is in the certificate: then it is left to the
    /// library which address of a family is taken, and any address of that family to speak from says which family.
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
