/// GS1 element strings: application identifiers (AIs) and their values, in the order of the code.
public struct GS1Payload: Hashable, Sendable {
    /// Where the element strings were found.
    public enum Source: String, CaseIterable, Hashable, Sendable {
        /// In a symbol that says by its AIM identifier that it is GS1.
        case elementString
        /// In the path and query of a web address.
        case digitalLink
    }

    public var elements: [GS1Element]
    public var source: Source
    /// The digits of (01), (02) excluded; 14 of them, `nil` if there is none or its check digit is wrong.
    public var gtin: String?
    /// Everything that isn't as the General Specifications say, each a sentence that names its AI.
    public var problems: [String]

    public init(elements: [GS1Element], source: Source, gtin: String? = nil, problems: [String] = []) {
        self.elements = elements
        self.source = source
        self.gtin = gtin
        self.problems = problems
    }

    /// The first value of an AI.
    public subscript(ai: String) -> GS1Element? { elements.first { $0.ai == ai } }

    /// The human-readable form: `(01)09506000134352(17)261231(10)AB-123`.
    public var humanReadable: String {
        elements.reduce(into: "") { $0 += "(\($1.ai))\($1.value)" }
    }
}

/// One application identifier with its value.
public struct GS1Element: Hashable, Sendable {
    /// 2…4 digits, the decimal position included: `3103`.
    public var ai: String
    /// The data title of the General Specifications, such as `BATCH/LOT`.
    public var title: String
    /// As the code carries it.
    public var value: String
    /// What the value means, where it is more than text.
    public var meaning: Meaning?

    public enum Meaning: Hashable, Sendable {
        case date(GS1Date)
        /// Two dates: AI 7007 (harvest period).
        case period(GS1Date, GS1Date)
        /// A measure or an amount with its decimal point in place, and its unit: `1.250`, `kg`. `unit` is an ISO 4217 number
        /// for money with a currency, empty where the General Specifications leave it open.
        case quantity(String, unit: String)
        /// Degrees: AI 4309.
        case place(latitude: Double, longitude: Double)
    }

    public init(ai: String, title: String, value: String, meaning: Meaning? = nil) {
        self.ai = ai
        self.title = title
        self.value = value
        self.meaning = meaning
    }
}

/// A date of an application identifier.
public struct GS1Date: Hashable, Sendable, CustomStringConvertible {
    /// Day 00 means the last day of the month, and that is the day given here.
    public var date: CivilDate
    /// The code said day 00: only year and month are meant.
    public var isWholeMonth: Bool
    /// For AIs with a time of day.
    public var time: CivilTime?

    public init(date: CivilDate, isWholeMonth: Bool = false, time: CivilTime? = nil) {
        self.date = date
        self.isWholeMonth = isWholeMonth
        self.time = time
    }

    /// `2026-12-31` or `2026-12-31T14:30:00`.
    public var description: String { time.map { "\(date)T\($0)" } ?? date.description }
}
