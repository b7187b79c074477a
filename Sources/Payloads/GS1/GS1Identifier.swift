/// One application identifier, or ten that differ in the position of the decimal point.
struct GS1Identifier: Sendable {
    /// What the value is converted to, besides what its format's rules say.
    enum Reading: Sendable {
        case plain
        /// The AI's last digit counts decimals of the last numeric component; the unit follows the number.
        case decimals(unit: String)
        /// Like `decimals`, but an amount of money.
        case amount
        /// Hundredths.
        case temperature(unit: String)
    }

    /// Without the decimal digit where the AI has one.
    let prefix: String
    let title: String
    let format: GS1Format
    let reading: Reading
    /// The largest last digit of the AI; `nil` if the prefix is the whole AI.
    let maxDecimals: Int?

    init(_ prefix: String, _ notation: String, _ title: String, reading: Reading = .plain, maxDecimals: Int? = nil) {
        self.prefix = prefix
        self.title = title
        format = GS1Format(notation)
        self.reading = reading
        self.maxDecimals = maxDecimals
    }

    /// A measure: six digits, up to five of them decimals.
    static func measure(_ prefix: String, _ title: String, _ unit: String) -> GS1Identifier {
        GS1Identifier(prefix, "N6", title, reading: .decimals(unit: unit), maxDecimals: 5)
    }
}
