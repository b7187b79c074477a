/// An IP literal, read without the system (RFC 4291, section 2.2; dotted quads without leading zeros).
package enum IPAddress: Hashable, Sendable {
    case v4([UInt8])
    case v6([UInt8])

    package init?(_ text: some StringProtocol) {
        let text = String(text)
        if text.contains(":") {
            // A zone names an interface of this machine: `fe80::1%eth0`.
            guard let bytes = Self.sixteen(text.split(separator: "%", maxSplits: 1).first.map(String.init) ?? "") else {
                return nil
            }
            self = .v6(bytes)
        } else {
            guard let bytes = Self.four(text) else { return nil }
            self = .v4(bytes)
        }
    }

    /// An IPv4 address in IPv6's clothes (`::ffff:10.0.0.1`) as what it is.
    package var unmapped: IPAddress {
        guard case .v6(let bytes) = self, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 255, bytes[11] == 255
        else { return self }
        return .v4(Array(bytes[12...]))
    }

    private static func four(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard let byte = UInt8(part), String(byte) == part else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func sixteen(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        guard let gap = text.firstRange(of: "::") else {
            guard let bytes = groups(text[...]), bytes.count == 16 else { return nil }
            return bytes
        }
        let (before, after) = (text[..<gap.lowerBound], text[gap.upperBound...])
        guard after.firstRange(of: "::") == nil, let head = groups(before), let tail = groups(after),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            if part.contains("."), place == parts.count - 1, let quad = four(String(part)) {
                bytes += quad
            } else {
                guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
                    let value = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(value >> 8), UInt8(value & 255)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }
}
