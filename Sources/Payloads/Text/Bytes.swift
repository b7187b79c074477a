import Vocabulary

/// Parsers work on UTF-8 bytes: an index is a byte, nothing has to be walked twice, and no input can make them trap.
typealias Bytes = ArraySlice<UInt8>

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) }
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    var isControl: Bool { self < 0x20 || self == 0x7F }

    /// ASCII only; everything else stays.
    var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }

    /// The value of a decimal digit; 0 for anything else, so check `isDigit` first.
    var digitValue: Int { isDigit ? Int(self - UInt8(ascii: "0")) : 0 }

    var hexValue: UInt8? {
        switch lowercased {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): lowercased - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension ArraySlice<UInt8> {
    init(_ text: some StringProtocol) { self = Array(text.utf8)[...] }

    /// As text; what isn't UTF-8 becomes U+FFFD.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// `nil` instead of an empty text.
    var textOrNil: String? { isEmpty ? nil : text }

    /// For messages: the check digit that belongs after these digits.
    var gs1CheckDigit: String { CheckDigit.gs1Mod10(self).map { [$0][...].text } ?? "?" }

    /// Without white space at both ends.
    var trimmed: Bytes {
        var slice = self
        while let first = slice.first, first.isSpace { slice.removeFirst() }
        while let last = slice.last, last.isSpace { slice.removeLast() }
        return slice
    }

    /// Lower case for ASCII letters.
    var lowercasedText: String { String(decoding: map(\.lowercased), as: UTF8.self) }

    /// What follows `prefix` (lower case ASCII), whatever the case of the bytes; `nil` if they don't start with it.
    func after(_ prefix: String) -> Bytes? {
        guard count >= prefix.utf8.count else { return nil }
        var index = startIndex
        for byte in prefix.utf8 {
            guard self[index].lowercased == byte else { return nil }
            index += 1
        }
        return self[index...]
    }

    /// The parts before and after the first `byte`; all and `nil` if there is none.
    func cut(at byte: UInt8) -> (Bytes, Bytes?) {
        guard let place = firstIndex(of: byte) else { return (self, nil) }
        return (self[..<place], self[(place + 1)...])
    }

    /// At most `limit` parts between `separator`s; the last one has the rest.
    func parts(separatedBy separator: UInt8, limit: Int = PayloadLimits.maxFields) -> [Bytes] {
        split(separator: separator, maxSplits: limit - 1, omittingEmptySubsequences: false)
    }

    /// Decimal digits only, at least one, no more than an Int holds.
    var decimal: Int? {
        guard !isEmpty, count <= 18 else { return nil }
        var value = 0
        for byte in self {
            guard byte.isDigit else { return nil }
            value = value * 10 + byte.digitValue
        }
        return value
    }

    /// A decimal number such as `-12.5`: no exponent, no words, so that the result is always finite.
    var real: Double? {
        var digits = self
        if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        let (whole, fraction) = digits.cut(at: UInt8(ascii: "."))
        guard count <= 32, !(whole.isEmpty && fraction?.isEmpty ?? true), whole.allSatisfy(\.isDigit),
            fraction?.allSatisfy(\.isDigit) ?? true
        else { return nil }
        return Double(text)
    }

    /// `%41` decoded; a `%` without two hexadecimal digits stays. With `plusIsSpace` also `+`.
    func percentDecoded(plusIsSpace: Bool = false) -> Bytes {
        guard contains(UInt8(ascii: "%")) || (plusIsSpace && contains(UInt8(ascii: "+"))) else { return self }
        var out: [UInt8] = []
        out.reserveCapacity(count)
        var index = startIndex
        while index < endIndex {
            let byte = self[index]
            if byte == UInt8(ascii: "%"), index + 2 < endIndex, let high = self[index + 1].hexValue,
                let low = self[index + 2].hexValue
            {
                out.append(high << 4 | low)
                index += 3
                continue
            }
            out.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            index += 1
        }
        return out[...]
    }

    /// The pairs of a query: `a=1&b=2`, names in lower case, values still encoded.
    var queryPairs: [(name: String, value: Bytes)] {
        parts(separatedBy: UInt8(ascii: "&")).map { pair in
            let (name, value) = pair.cut(at: UInt8(ascii: "="))
            return (name.percentDecoded().lowercasedText, value ?? [])
        }
    }
}
