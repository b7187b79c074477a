/// Check digits and characters of linear codes. All of them work on the data as the code carries it, in ASCII.
package enum CheckDigit {
    /// GS1 mod 10 (GS1 General Specifications, 7.9): the digits weigh 3 and 1 in turn, the last one before the check digit 3.
    /// Serves EAN-8, EAN-13, UPC-A, ITF-14. `false` for anything but two or more digits.
    package static func isValidGS1Mod10(_ digits: some BidirectionalCollection<UInt8>) -> Bool {
        guard digits.count >= 2, let last = digits.last, let expected = gs1Mod10(digits.dropLast()) else {
            return false
        }
        return last == expected
    }

    /// The check digit (ASCII) for `digits`; `nil` if one isn't a digit.
    package static func gs1Mod10(_ digits: some BidirectionalCollection<UInt8>) -> UInt8? {
        var sum = 0
        var weight = 3
        for digit in digits.reversed() {
            guard isDigit(digit) else { return nil }
            sum += Int(digit - zero) * weight
            weight = 4 - weight
        }
        return zero + UInt8((10 - sum % 10) % 10)
    }

    /// Code 39 mod 43 (ISO/IEC 16388, annex A): the last character is the sum of the others' values, modulo 43.
    package static func isValidMod43(_ characters: some BidirectionalCollection<UInt8>) -> Bool {
        guard characters.count >= 2, let last = characters.last, let check = code39Value(last) else { return false }
        var sum = 0
        for character in characters.dropLast() {
            guard let value = code39Value(character) else { return false }
            sum += value
        }
        return sum % 43 == check
    }

    /// Codabar mod 16 (ANSI/AIM BC3, annex A): all values, start, stop and check character included, add up to a multiple
    /// of 16. `characters` begins and ends with A–D; the check character stands before the stop character.
    package static func isValidMod16(_ characters: some BidirectionalCollection<UInt8>) -> Bool {
        guard characters.count >= 4, let first = characters.first, let last = characters.last,
            isCodabarGuard(first), isCodabarGuard(last)
        else { return false }
        var sum = 0
        for character in characters {
            guard let value = codabarValue(character) else { return false }
            sum += value
        }
        return sum % 16 == 0
    }

    package static let zero = UInt8(ascii: "0")

    package static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= UInt8(ascii: "9") }

    package static func isCodabarGuard(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "D") }

    /// Each at the place of its value.
    package static let code39Characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%".utf8)
    private static let codabarCharacters = Array("0123456789-$:/.+ABCD".utf8)

    private static func code39Value(_ character: UInt8) -> Int? { code39Characters.firstIndex(of: character) }
    private static func codabarValue(_ character: UInt8) -> Int? { codabarCharacters.firstIndex(of: character) }
}
