/// Where the console listens: on this machine only, until a password is set, or may be set by the station's button, unless somebody asked for the
/// network. Without a password the network gets nothing but how to set one (`FirstPasswordRoutes.withoutPassword`).
package struct ListenPlan: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case local
        case network
        case address(IPAddress)

        /// `local`, `network` or an IP literal.
        package init?(_ text: String) {
            switch text {
            case "local", "127.0.0.1", "localhost": self = .local
            case "network": self = .network
            default:
                guard let address = IPAddress(text) else { return nil }
                self = .address(address)
            }
        }

        var isLocal: Bool {
            switch self {
            case .local: true
            case .network: false
            case .address(.v4(let bytes)): bytes[0] == 127
            case .address(.v6(let bytes)): bytes == [UInt8](repeating: 0, count: 15) + [1]
            }
        }
    }

    /// Addresses to try in this order: a machine may have no IPv6.
    package var hosts: [String]
    package var port: Int
    package var isPasswordSet: Bool

    package var isLocal: Bool { hosts.allSatisfy { Place($0)?.isLocal ?? false } }

    /// The address under which this machine reaches it.
    package var ownHost: String {
        guard let host = hosts.first, host != "::" else { return "127.0.0.1" }
        return host.contains(":") ? "[\(host)]" : host
    }

    package static let defaultPort = 8080

    /// - Parameters:
    ///   - option: of the command line, which goes before the station's word.
    ///   - isForFirstPassword: a phone in the network may set the first password.
    ///   - station: what its configuration has; `nil`: nothing, or the station is away.
    package init(
        option: Place?, optionPort: Int?, station: String?, stationPort: Int?, isPasswordSet: Bool,
        isForFirstPassword: Bool = false
    ) {
        self.isPasswordSet = isPasswordSet
        let told = station.flatMap(Place.init)
        // Unless told otherwise, a password opens the page to the network.
        let asked = option ?? told
        let place = asked ?? (isPasswordSet || isForFirstPassword ? .network : .local)
        switch place {
        case .local: hosts = ["127.0.0.1"]
        // `::` takes IPv4 as well.
        case .network: hosts = ["::", "0.0.0.0"]
        case .address(.v4(let bytes)): hosts = [bytes.map(String.init).joined(separator: ".")]
        case .address(.v6(let bytes)):
            hosts = [
                stride(from: 0, to: 16, by: 2)
                    .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
            ]
        }
        port = optionPort ?? stationPort ?? Self.defaultPort
    }
}
