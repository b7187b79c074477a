/// Code 93 (ANSI/AIM BC5, table 1): three bars and three spaces of 1 to 4 modules, 9 together.
extension BarPattern {
    /// Widths by symbol character value: 43 characters, four shifts, then the one at both ends.
    private static let code93Widths = """
        131112 111213 111312 111411 121113 121212 121311 111114 131211 141111 211113 211212 211311 221112 221211 231111
        112113 112212 112311 122112 132111 111123 111222 111321 121122 131121 212112 212211 211122 211221 221121 222111
        112122 112221 122121 123111 121131 311112 311211 321111 112131 113121 211131 121221 312111 311121 122211 111141
        """

    /// The symbol characters, then the bar that ends the stop.
    static let code93: [BarPattern] =
        code93Widths.split(whereSeparator: \.isWhitespace)
        .map { BarPattern($0.compactMap(\.wholeNumberValue), beginsWithBar: true) } + [
            BarPattern([1], beginsWithBar: true)
        ]

    /// Modules of a symbol character.
    static let code93Width = 9
    static let code93Data = code93First..<code93First + 47
    /// All symbol characters.
    static let code93Symbols = code93First..<code93First + 48
    static let code93Asterisk = code93First + 47..<code93First + 48
    static let code93LastBar = code93First + 48..<code93First + 49
}
