/// GS1 element strings: application identifiers (AIs) and their values, in the order of the code.
package struct GS1Payload: Hashable, Sendable {
    /// Where the element strings were found.
    package enum Source: String, CaseIterable, Hashable, Sendable {
        /// In a symbol that says by its AIM identifier that it is GS1.
        case elementString
        /// In the path and query of a web address.
        case digitalLink
    }

    package var elements: [GS1Element]
    package var source: Source
    /// The 14 digits of (01), not (02); `nil` if there is none or its check digit is wrong.
    package var gtin: String?
    /// Every deviation from the General Specifications, each a sentence that names its AI.
    package var problems: [String]

    package init(elements: [GS1Element], source: Source, gtin: String? = nil, problems: [String] = []) {
        self.elements = elements
        self.source = source
        self.gtin = gtin
        self.problems = problems
    }

    /// The first value of an AI.
    package subscript(ai: String) -> GS1Element? { elements.first { $0.ai == ai } }

    /// The human-readable form: `(01)09506000134352(17)261231(10)AB-123`.
    package var humanReadable: String {
        elements.reduce(into: "") { $0 += "(\($1.ai))\($1.value)" }
    }
}

/// One application identifier with its value.
package struct GS1Element: Hashable, Sendable {
    /// 2…4 digits, the decimal position included: `3103`.
    package var ai: String
    /// The data title of the General Specifications, such as `BATCH/LOT`.
    package var title: String
    /// As the code carries it.
    package var value: String
    /// What the value means, if it is more than text.
    package var meaning: Meaning?

    package enum Meaning: Hashable, Sendable {
        case date(GS1Date)
        /// Two dates: AI 7007 (harvest period).
        case period(GS1Date, GS1Date)
        /// A measure or an amount with its decimal point in place, and its unit: `1.250`, `kg`. `unit` is an ISO 4217 number for money with
        /// a currency, empty if the General Specifications leave it open.
        case quantity(String, unit: String)
        /// Degrees: AI 4309.
        case place(latitude: Double, longitude: Double)
    }

    package init(ai: String, title: String, value: String, meaning: Meaning? = nil) {
        self.ai = ai
        self.title = title
        self.value = value
        self.meaning = meaning
    }
}

/// A date of an application identifier.
package struct GS1Date: Hashable, Sendable, CustomStringConvertible {
    /// Day 00 means the last day of the month, and that is the day given here.
    package var date: CivilDate
    /// The code said day 00: only year and month are meant.
    package var isWholeMonth: Bool
    /// For AIs with a time of day.
    package var time: CivilTime?

    package init(date: CivilDate, isWholeMonth: Bool = false, time: CivilTime? = nil) {
        self.date = date
        self.isWholeMonth = isWholeMonth
        self.time = time
    }

    /// `2026-12-31` or `2026-12-31T14:30:00`.
    package var description: String { time.map { "\(date)T\($0)" } ?? date.description }
}
