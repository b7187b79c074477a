import Vocabulary

/// Splits element strings into application identifiers and values (General Specifications, 7.8): values of predefined
/// length follow each other directly, all others end at a separator (FNC1, transmitted as GS) or at the end.
///
/// Nothing is thrown: what can be read is returned, and each deviation is a sentence in `problems`.
struct GS1Parser {
    /// For the century of two-digit years.
    let year: Int

    /// `nil` if not even the first application identifier can be read: then the text is read like any other.
    func parse(_ bytes: Bytes) -> GS1Payload? {
        guard bytes.count <= PayloadLimits.maxTextBytes else { return nil }
        var payload = GS1Payload(elements: [], source: .elementString)
        var problems = Problems()
        var rest = bytes.drop { $0 == GS1Carrier.separator }
        while !rest.isEmpty {
            guard payload.elements.count < PayloadLimits.maxFields else {
                problems.add("more than \(PayloadLimits.maxFields) element strings: the others are left out")
                break
            }
            guard let ai = identifier(at: rest) else {
                let place = rest.startIndex - bytes.startIndex
                problems.add("no application identifier starts at character \(place + 1)")
                break
            }
            rest = rest.dropFirst(ai.utf8.count)
            let value = value(of: ai, in: rest)
            rest = rest.dropFirst(value.count).drop { $0 == GS1Carrier.separator }
            payload.elements.append(element(ai, value, &problems))
        }
        guard !payload.elements.isEmpty else { return nil }
        payload.gtin = GS1Parser.gtin(of: payload.elements)
        payload.problems = problems.list
        return payload
    }

    /// The digits of the AI at the start of `bytes`.
    private func identifier(at bytes: Bytes) -> String? {
        guard let prefix = bytes.prefix(2).decimal, bytes.count > 2,
            let length = GS1Table.length(ofAIStartingWith: prefix)
        else { return nil }
        let digits = bytes.prefix(length)
        return digits.count == length && digits.allSatisfy(\.isDigit) ? digits.text : nil
    }

    private func value(of ai: String, in bytes: Bytes) -> Bytes {
        let upToSeparator = bytes.prefix { $0 != GS1Carrier.separator }
        guard let prefix = Bytes(ai).prefix(2).decimal,
            let total = GS1Table.predefinedLength(ofElementStartingWith: prefix)
        else { return upToSeparator }
        return upToSeparator.prefix(total - ai.utf8.count)
    }

    /// Checks a value against the table and says what it means.
    func element(_ ai: String, _ value: Bytes, _ problems: inout Problems) -> GS1Element {
        guard let identifier = GS1Table.identifier(for: ai) else {
            problems.add("(\(ai)) isn't an application identifier that is known here")
            return GS1Element(ai: ai, title: "", value: value.text)
        }
        let reader = GS1ValueReader(ai: ai, identifier: identifier, year: year)
        return GS1Element(
            ai: ai, title: identifier.title, value: value.text, meaning: reader.meaning(of: value, &problems))
    }

    /// A GTIN with a wrong check digit isn't one.
    static func gtin(of elements: [GS1Element]) -> String? {
        guard let value = elements.first(where: { $0.ai == "01" })?.value, value.utf8.count == 14,
            CheckDigit.isValidGS1Mod10(Bytes(value))
        else { return nil }
        return value
    }
}
