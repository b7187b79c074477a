/// An EAN-13 as a row of modules, with whatever check digit.
enum DrawnEAN13 {
    private static let odd = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]
    /// Which of the six digits on the left are of even parity, by the first digit.
    private static let even = [
        0, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
    ]

    /// As `DecodingFixtures` has them: four modules to a hexadecimal digit.
    static func rows(_ number: String) -> [String] {
        let digits = number.compactMap(\.wholeNumberValue)
        var modules = "101"
        for place in 1...6 {
            let right = String(odd[digits[place]].map { $0 == "1" ? "0" : "1" })
            let isEven = even[digits[0]] >> (6 - place) & 1 == 1
            modules += isEven ? String(right.reversed()) : odd[digits[place]]
        }
        modules += "01010"
        for place in 7...12 { modules += String(odd[digits[place]].map { $0 == "1" ? "0" : "1" }) }
        return [HexModules.row(modules + "101")]
    }
}
