/// Base64 (RFC 4648, section 4) without Foundation.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func append(_ data: [UInt8], to out: inout [UInt8]) {
        out.reserveCapacity(out.count + (data.count + 2) / 3 * 4)
        var index = 0
        while index < data.count {
            let left = data.count - index
            let group =
                UInt32(data[index]) << 16 | (left > 1 ? UInt32(data[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(data[index + 2]) : 0)
            for place in 0..<4 {
                let isPadding = place > left
                let code = Int(group >> UInt32(18 - 6 * place) & 0x3F)
                out.append(isPadding ? UInt8(ascii: "=") : alphabet[code])
            }
            index += 3
        }
    }

    package static func encode(_ data: [UInt8]) -> String {
        var out: [UInt8] = []
        append(data, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// `nil` if `text` isn't base64 with its padding.
    package static func decode(_ text: String) -> [UInt8]? {
        let input = Array(text.utf8)
        guard input.count % 4 == 0 else { return nil }
        let padding = input.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(input.count / 4 * 3)
        var bits: UInt32 = 0
        var bitCount = 0
        for byte in input.dropLast(padding) {
            guard let code = value(of: byte) else { return nil }
            bits = (bits << 6 | code) & 0xFFFFFF
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return out
    }

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
