/// Text from codes, made safe for a terminal or a log line.
package enum TerminalText {
    /// Control characters as their names in angle brackets (`<ESC>`, `<GS>`, `<CR>`: the names of the serial template), and
    /// what could reorder, hide or break a line (C1, bidirectional controls, zero-width, line separators, private and
    /// unassigned characters) as `<U+202E>`. Longer than `limit` characters: cut, with `…`.
    package static func escape(_ text: String, limit: Int = 400) -> String {
        var out = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return out + "…" }
            count += 1
            if scalar.value < 0x20 {
                out += "<\(names[Int(scalar.value)])>"
            } else if scalar.value == 0x7F {
                out += "<DEL>"
            } else if isSafe(scalar) {
                out.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                out += "<U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)>"
            }
        }
        return out
    }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    private static let names = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI", "DLE",
        "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ]
}
