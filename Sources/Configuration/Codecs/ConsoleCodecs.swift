import Glibc
import Settings

extension Codec where Value == ConsoleSettings.Address {
    /// `auto`, `local`, `network`, or an IP address.
    static var consoleAddress: Codec {
        Codec(
            takes: "auto, local, network, or an IP address of this machine", choices: ["auto", "local", "network"],
            parse: { text in
                switch text {
                case "auto": .automatic
                case "local": .local
                case "network": .network
                default: isAddress(text) ? .literal(text) : nil
                }
            },
            write: { address in
                switch address {
                case .automatic: "auto"
                case .local: "local"
                case .network: "network"
                case .literal(let text): YAMLText.string(text)
                }
            })
    }

    private static func isAddress(_ text: String) -> Bool {
        var v4 = in_addr()
        var v6 = in6_addr()
        return inet_pton(AF_INET, text, &v4) == 1 || inet_pton(AF_INET6, text, &v6) == 1
    }
}

extension Codec where Value == String {
    /// A host's name without a port: letters, digits, hyphens and dots (RFC 1123, 2.1), kept in lower case.
    static var hostName: Codec {
        Codec(
            takes: "a host name such as scanner.example, without a port",
            parse: { text in
                guard (1...253).contains(text.utf8.count) else { return nil }
                let isName = text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                    (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                        && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
                }
                return isName ? text.lowercased() : nil
            },
            write: YAMLText.string)
    }
}
