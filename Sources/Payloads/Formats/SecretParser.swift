/// Codes that contain a secret and are read no further. Better once too often than once too little, but never a text that people print on
/// goods: each form is long, or begins with words that mean nothing else.
enum SecretParser {
    /// What begins like a known secret.
    static func parse(_ body: Bytes) -> SecretPayload.Format? {
        if body.after("otpauth-migration:") != nil { return .otpMigration }
        if let rest = body.after("mt:"), rest.count >= 19, rest.allSatisfy(isBase38) { return .matter }
        if let rest = body.after("x-hm://"), rest.count >= 9 { return .homeKit }
        if body.after("lpa:1$") != nil { return .eSIM }
        if isZWave(body) { return .zWave }
        if isZigbee(body) { return .zigbee }
        if body.contains(Bytes("PRIVATE KEY-----")) || body.after("age-secret-key-1") != nil { return .privateKey }
        if body.after("[interface]") != nil, Bytes(body.lowercasedText).contains(Bytes("privatekey")) {
            return .privateKey
        }
        return nil
    }

    /// Whether the text contains a link with a password.
    static func hasLinkWithPassword(_ body: Bytes) -> Bool {
        var rest = body
        // Each link is checked once: a text of nothing but `://` must not take quadratic time.
        for _ in 0..<PayloadLimits.maxFields {
            guard let place = rest.firstRange(of: Bytes("://")) else { return false }
            rest = rest[place.upperBound...]
            let end = rest.firstIndex { $0.isSpace || $0.isControl || linkEnds.contains($0) } ?? rest.endIndex
            if credential(in: rest[..<end]) != nil { return true }
        }
        return false
    }

    /// The secret part of a link's authority: the password of `user:password@host`, or everything before the `@` if it is too long for a
    /// name, as tokens are. `authority`: from after the `//` to the path.
    static func credential(in authority: Bytes) -> Bytes? {
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let user = authority[..<at]
        let (name, password) = user.cut(at: UInt8(ascii: ":"))
        if let password { return password.isEmpty ? nil : password }
        // `https://www.bank.example@evil.example/` is a trick with a name, not a token.
        return name.count >= minTokenBytes && !name.contains(UInt8(ascii: ".")) ? name : nil
    }

    private static let minTokenBytes = 20
    private static let linkEnds = Array("/?#\"'<>".utf8)

    private static func isBase38(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isLetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// Lead-in, version, checksum and requested keys, then the device's key: eight groups of 16 bits in five digits each (Z-Wave
    /// node provisioning, QR code format).
    private static func isZWave(_ body: Bytes) -> Bool {
        guard body.count >= 52, body.after("90") != nil, body.allSatisfy(\.isDigit) else { return false }
        let key = body.dropFirst(12).prefix(40)
        return stride(from: key.startIndex, to: key.endIndex, by: 5).allSatisfy { start in
            (key[start..<(start + 5)].decimal ?? .max) <= 65_535
        }
    }

    /// `Z:EUI64$I:INSTALLCODE`, and manufacturers' forms that contain `$I:`, too.
    private static func isZigbee(_ body: Bytes) -> Bool {
        guard let place = body.firstRange(of: Bytes("$I:")) else { return false }
        let code = body[place.upperBound...].prefix { $0.hexValue != nil }
        return code.count >= 16
    }
}
