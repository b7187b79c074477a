/// The format of an application identifier's value: components one after the other, such as `N13,csum X..17?`.
struct GS1Format: Sendable {
    /// What a component must be, besides its characters and length.
    enum Rule: String, Sendable {
        case none = ""
        /// Last digit is the GS1 check digit.
        case checkDigit = "csum"
        /// Last two characters are a check character pair.
        case checkPair = "pair"
        /// YYMMDD.
        case date = "yymmdd"
        /// YYMMDD where day 00 means the whole month.
        case dateOrMonth = "yymmd0"
        case longDate = "yyyymmdd"
        /// YYMMDDHH.
        case dateAndHour = "yymmddhh"
        case hourAndMinute = "hhmm"
        /// MM or MMSS.
        case minuteAndSecond = "mmss"
        /// Piece and total, two digits each: 1 ≤ piece ≤ total.
        case pieceOfTotal = "pieces"
        /// 0…1800000000, ten-millionths of a degree above -90.
        case latitude = "lat"
        /// 0…3600000000, ten-millionths of a degree, eastward from Greenwich.
        case longitude = "lon"
        case zero
        case nonZero = "nonzero"
        case yesNo = "yesno"
        /// A minus sign after the number.
        case minus = "minus"
        /// ISO 4217 number.
        case currency
    }

    struct Component: Sendable {
        var characters: GS1Characters
        var minLength: Int
        var maxLength: Int
        var rule: Rule
        var isOptional: Bool
    }

    let components: [Component]

    var minLength: Int { components.reduce(0) { $0 + ($1.isOptional ? 0 : $1.minLength) } }
    var maxLength: Int { components.reduce(0) { $0 + $1.maxLength } }

    /// Parses the notation of the table: `N6` fixed, `X..20` variable, `,rule` behind, `?` at the end for optional. The
    /// notation is ours and a test goes through the whole table; a part that can't be read is left out.
    init(_ notation: String) {
        components = notation.split(separator: " ").compactMap(GS1Format.component)
    }

    private static func component(_ part: Substring) -> Component? {
        var part = part
        let isOptional = part.last == "?"
        if isOptional { part.removeLast() }
        let pieces = part.split(separator: ",")
        guard let head = pieces.first, let letter = head.first else { return nil }
        let characters: GS1Characters
        switch letter {
        case "N": characters = .numeric
        case "X": characters = .x82
        case "Y": characters = .y39
        case "Z": characters = .z64
        default: return nil
        }
        let isVariable = head.dropFirst().hasPrefix("..")
        guard let length = Int(head.dropFirst(isVariable ? 3 : 1)), length > 0,
            let rule = Rule(rawValue: pieces.count > 1 ? String(pieces[1]) : "")
        else { return nil }
        return Component(
            characters: characters, minLength: isVariable ? 1 : length, maxLength: length, rule: rule,
            isOptional: isOptional)
    }
}
