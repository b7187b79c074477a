/// ITF as a row of modules, with whatever check digit. Wide elements have three modules.
enum DrawnITF {
    private static let wide = [
        "00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010",
    ]

    /// - Parameter number: an even number of digits.
    static func rows(_ number: String) -> [String] {
        let digits = number.compactMap(\.wholeNumberValue)
        var modules = "1010"
        for place in stride(from: 0, to: digits.count, by: 2) {
            for (bar, space) in zip(wide[digits[place]], wide[digits[place + 1]]) {
                modules += String(repeating: "1", count: bar == "1" ? 3 : 1)
                modules += String(repeating: "0", count: space == "1" ? 3 : 1)
            }
        }
        return [HexModules.row(modules + "11101")]
    }
}

/// Four modules to a hexadecimal digit, as in `DecodingFixtures`.
enum HexModules {
    /// - Parameter modules: 1 is dark.
    static func row(_ modules: String) -> String {
        let padded = modules + String(repeating: "0", count: (4 - modules.count % 4) % 4)
        var row = ""
        for first in stride(from: 0, to: padded.count, by: 4) {
            let digit = padded.dropFirst(first).prefix(4)
            row += String(Int(digit, radix: 2) ?? 0, radix: 16)
        }
        return row
    }
}
