import Vocabulary

/// The part of `ReadingSettings` that a reader process must know: which symbologies to read, and by which rules. It is sent to the reader
/// process in a compact byte form.
///
/// Format 1: `1`, number of entries, then 6 bytes per entry in rising order of code: symbology code, flags (bit 0 inverse,
/// bit 1 add-ons, bits 2–3 check digit: 0 none, 1 verify, 2 strip, bit 4 full ASCII, bit 5 Code 32), shortest and longest length (16 bits, little endian).
package struct DecodeRules: Hashable, Sendable {
    /// The rules of one symbology.
    package struct Rule: Hashable, Sendable {
        /// Shortest and longest data, in characters, before a check digit is stripped. 0…65535.
        package var minLength: Int
        package var maxLength: Int
        package var checkDigit: CheckDigitRule
        /// Also light on dark.
        package var inverse: Bool
        /// EAN/UPC: 2- and 5-digit add-ons.
        package var addOns: Bool
        /// Code 39: pairs stand for the characters it lacks.
        package var fullASCII: Bool
        /// Code 39: six characters that can be an Italian pharmaceutical number are one.
        package var code32: Bool

        package init(
            minLength: Int = 1, maxLength: Int = 8000, checkDigit: CheckDigitRule = .none,
            inverse: Bool = true, addOns: Bool = false, fullASCII: Bool = false, code32: Bool = false
        ) {
            self.minLength = minLength
            self.maxLength = maxLength
            self.checkDigit = checkDigit
            self.inverse = inverse
            self.addOns = addOns
            self.fullASCII = fullASCII
            self.code32 = code32
        }
    }

    /// A symbology without an entry isn't read.
    package var symbologies: [Symbology: Rule]

    package init(symbologies: [Symbology: Rule]) {
        self.symbologies = symbologies
    }

    /// Longest byte form: an entry for every symbology.
    package static let maxEncodedLength = 2 + entryLength * Symbology.allCases.count

    static let formatVersion: UInt8 = 1
    static let entryLength = 6

    /// The byte form. Clamps lengths outside 0…65535. Equal rules give equal bytes.
    package func encode() -> [UInt8] {
        var bytes: [UInt8] = [Self.formatVersion, UInt8(symbologies.count)]
        bytes.reserveCapacity(2 + Self.entryLength * symbologies.count)
        for (symbology, rule) in symbologies.sorted(by: { $0.key.code < $1.key.code }) {
            var flags: UInt8 = 0
            if rule.inverse { flags |= 1 }
            if rule.addOns { flags |= 2 }
            if rule.fullASCII { flags |= 1 << 4 }
            if rule.code32 { flags |= 1 << 5 }
            switch rule.checkDigit {
            case .none: break
            case .verify: flags |= 1 << 2
            case .strip: flags |= 2 << 2
            }
            let shortest = UInt16(clamping: rule.minLength)
            let longest = UInt16(clamping: rule.maxLength)
            bytes += [
                symbology.code, flags, UInt8(truncatingIfNeeded: shortest), UInt8(truncatingIfNeeded: shortest >> 8),
                UInt8(truncatingIfNeeded: longest), UInt8(truncatingIfNeeded: longest >> 8),
            ]
        }
        return bytes
    }

    /// `nil` unless `bytes` is exactly what `encode()` returns: the right version and length, known codes in rising order.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2, bytes[0] == Self.formatVersion,
            bytes.count == 2 + Self.entryLength * Int(bytes[1])
        else { return nil }
        var table: [Symbology: Rule] = [:]
        var previous: UInt8 = 0
        for start in stride(from: 2, to: bytes.count, by: Self.entryLength) {
            let entry = bytes[start..<start + Self.entryLength]
            let flags = entry[start + 1]
            guard entry[start] > previous, let symbology = Symbology(code: entry[start]), flags < 1 << 6 else {
                return nil
            }
            previous = entry[start]
            let check: CheckDigitRule
            switch flags >> 2 & 3 {
            case 0: check = .none
            case 1: check = .verify
            case 2: check = .strip
            default: return nil
            }
            table[symbology] = Rule(
                minLength: Int(entry[start + 2]) | Int(entry[start + 3]) << 8,
                maxLength: Int(entry[start + 4]) | Int(entry[start + 5]) << 8, checkDigit: check,
                inverse: flags & 1 != 0, addOns: flags & 2 != 0, fullASCII: flags & 1 << 4 != 0,
                code32: flags & 1 << 5 != 0)
        }
        symbologies = table
    }
}
