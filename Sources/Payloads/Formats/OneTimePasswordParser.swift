import Vocabulary

/// `otpauth://totp/Issuer:account?secret=…&issuer=…&algorithm=SHA1&digits=6&period=30`
enum OneTimePasswordParser {
    static func parse(_ body: Bytes, revealsSecrets: Bool) -> OneTimePasswordPayload? {
        let (path, query) = body.cut(at: UInt8(ascii: "?"))
        let (type, label) = path.cut(at: UInt8(ascii: "/"))
        guard let method = OneTimePasswordPayload.Method(rawValue: type.lowercasedText) else { return nil }
        var problems = Problems()
        var values: [String: Bytes] = [:]
        for (name, value) in query?.queryPairs ?? [] where values[name] == nil {
            values[name] = value.percentDecoded(plusIsSpace: true)
        }
        let (first, second) = (label ?? []).percentDecoded().cut(at: UInt8(ascii: ":"))
        let issuer = values["issuer"]?.trimmed.textOrNil ?? (second == nil ? nil : first.trimmed.textOrNil)
        return OneTimePasswordPayload(
            method: method, issuer: issuer, account: (second ?? first).trimmed.text,
            secret: secret(values["secret"], isRevealed: revealsSecrets, &problems),
            algorithm: algorithm(values["algorithm"], &problems),
            digits: number(values["digits"], "digits", in: 6...8, default: 6, &problems),
            periodSeconds: method == .totp
                ? number(values["period"], "period", in: 1...86_400, default: 30, &problems) : nil,
            counter: method == .hotp ? counter(values["counter"], &problems) : nil, problems: problems.list)
    }

    private static func secret(_ value: Bytes?, isRevealed: Bool, _ problems: inout Problems) -> Secret? {
        guard let value = value?.trimmed, !value.isEmpty else {
            problems.add("the secret is missing")
            return nil
        }
        let isBase32 = value.allSatisfy { byte in
            byte.isLetter || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
                || [UInt8(ascii: "="), UInt8(ascii: " "), UInt8(ascii: "-")].contains(byte)
        }
        if !isBase32 { problems.add("the secret isn't base32") }
        return Secret(value.text, isRevealed: isRevealed)
    }

    private static func algorithm(_ value: Bytes?, _ problems: inout Problems) -> String {
        guard let name = value?.text.uppercased(), !name.isEmpty else { return "SHA1" }
        let plain = name.hasPrefix("HMAC") ? String(name.dropFirst(4)) : name
        let known = ["SHA1", "SHA256", "SHA512"].first { $0 == plain.filter { $0 != "-" } }
        if known == nil { problems.add("the algorithm \"\(name.prefix(scalars: 20))\" isn't known") }
        return known ?? name.prefix(scalars: 20)
    }

    private static func number(
        _ value: Bytes?, _ name: String, in range: ClosedRange<Int>, default fallback: Int, _ problems: inout Problems
    ) -> Int {
        guard let value, !value.isEmpty else { return fallback }
        guard let number = value.decimal, range.contains(number) else {
            problems.add(
                "\(name) isn't a number from \(range.lowerBound) to \(range.upperBound); \(fallback) is assumed")
            return fallback
        }
        return number
    }

    private static func counter(_ value: Bytes?, _ problems: inout Problems) -> UInt64? {
        guard let value, let counter = UInt64(value.text) else {
            problems.add("the counter is missing")
            return nil
        }
        return counter
    }
}
