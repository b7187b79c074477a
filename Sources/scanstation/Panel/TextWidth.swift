/// How many columns of a terminal a text takes.
///
/// Terminals disagree about what consists of several characters (flags, families, skin tones, Indic syllables): some draw them as one,
/// others side by side. This gives the width in terminals that draw them as one, and says when others may differ.
enum TextWidth {
    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// Two for what East Asian fonts and emoji draw wide (Unicode's EastAsianWidth W and F, in blocks), none for a mark that combines with
    /// the character before it.
    static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        if isEmoji(scalars) { return 2 }
        return scalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// Whether some terminals may draw it in another width than `columns`.
    static func isUncertain(_ text: String) -> Bool {
        text.contains { character in
            let scalars = character.unicodeScalars
            guard let first = scalars.first, !first.isASCII || scalars.count > 1 else { return false }
            return isEmoji(scalars) || scalars.count > 1
        }
    }

    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first, !first.isASCII || scalars.count > 1 else { return false }
        return first.properties.isEmojiPresentation || (first.properties.isEmoji && scalars.contains("\u{FE0F}"))
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        // The vowels and final consonants of a Korean syllable that is written in parts.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0x1100...0x115F, 0x2329, 0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
            0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
