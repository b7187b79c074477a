/// What a browser shows to the station to be allowed to set the first password: 128 random bits that belong to one browser, as the text of
/// a QR code.
///
/// The code is no secret: anyone who copies it helps the browser that it was made for, and nobody else. A code of this form is never a
/// scan.
package struct FirstPasswordCode: Hashable, Sendable {
    /// Only characters that QR codes store two in eleven bits, so that the code stays coarse.
    package static let prefix = "SCANSTATION:PASSWORD:"
    package static let digitCount = 32

    /// Hexadecimal, in capitals.
    package let digits: String

    /// - Parameter digits: 32 hexadecimal digits; small letters are taken for capitals.
    package init?(digits: String) {
        guard digits.utf8.count == Self.digitCount, digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        self.digits = digits.uppercased()
    }

    /// - Parameter text: a code's whole text.
    package init?(text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let digits = String(text.dropFirst(Self.prefix.count))
        guard digits == digits.uppercased() else { return nil }
        self.init(digits: digits)
    }

    package var text: String { Self.prefix + digits }
}
