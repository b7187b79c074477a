/// What the General Specifications say about every application identifier: figures 3.2-1 (formats and titles) and 7.8.5-2 (lengths that are
/// fixed for ever).
enum GS1Table {
    /// The row of an AI in full (`3103`, not `310`); `nil` if the table has none.
    static func identifier(for ai: String) -> GS1Identifier? {
        if let whole = byPrefix[ai], whole.maxDecimals == nil { return whole }
        guard ai.utf8.count == 4, let last = ai.utf8.last, let family = byPrefix[String(ai.dropLast())],
            let most = family.maxDecimals, last.isDigit, last.digitValue <= most
        else { return nil }
        return family
    }

    /// The number of digits of an AI that starts with these two digits; `nil` if no AI does. It also separates identifiers that are newer
    /// than the table from their values.
    static func length(ofAIStartingWith prefix: Int) -> Int? {
        switch prefix {
        case 0...4, 10...22, 30, 37, 90...99: 2
        case 23...25, 40...42, 71: 3
        case 31...36, 39, 43, 70, 72, 80...82: 4
        default: nil
        }
    }

    /// AI and value together, for element strings that are never followed by a separator. The list is closed: new AIs with other beginnings
    /// always need a separator.
    static func predefinedLength(ofElementStartingWith prefix: Int) -> Int? {
        switch prefix {
        case 0: 20
        case 1, 2, 3: 16
        case 4: 18
        case 11...19: 8
        case 20: 4
        case 31...36: 10
        case 41: 16
        default: nil
        }
    }

    static let all: [GS1Identifier] =
        identification + details + measures + money + locations + transport + trade + healthcare + special + company

    private static let byPrefix: [String: GS1Identifier] =
        Dictionary(all.map { ($0.prefix, $0) }) { first, _ in first }
}
