/// Names of the control characters (ECMA-48 C0 set, plus SP and DEL) as templates write them: `<CR>`.
package enum ControlCharacter {
    /// By code, 0…31: the first name of each; `name(of:)` uses it.
    static let names: [String] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
        "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ]

    /// Further names that people know.
    static let aliases: [String: UInt8] = [
        "HT": 0x09, "NL": 0x0A, "XON": 0x11, "XOFF": 0x13, "SP": 0x20, "DEL": 0x7F,
    ]

    /// Every name a template may use, in order of code.
    package static var allNames: [String] { names + aliases.keys.sorted() }

    /// The byte a name stands for; case doesn't matter.
    package static func byte(named name: String) -> UInt8? {
        let upper = name.uppercased()
        if let index = names.firstIndex(of: upper) { return UInt8(index) }
        return aliases[upper]
    }

    /// The name of a control character; `nil` for every other byte.
    package static func name(of byte: UInt8) -> String? {
        if byte < 0x20 { return names[Int(byte)] }
        return byte == 0x7F ? "DEL" : nil
    }
}
