import Vocabulary

/// What looks like a code and isn't read now; sent when that changes.
package struct UnreadEvent: Hashable, Sendable {
    /// The likeliest code first; empty: nothing any more.
    package var codes: [UnreadCode]

    package init(codes: [UnreadCode]) { self.codes = codes }
}

extension UnreadCode {
    /// Its form in events, in `status` and in what `scan --explain` prints.
    package var json: JSONValue {
        var fields: [String: JSONValue] = [
            "kind": .string(kind.rawValue), "cause": .string(cause.rawValue), "text": .string(text),
            "advice": .string(advice),
            "corners": .array(
                corners.points.map { .array([.number($0.x.rounded(4)), .number($0.y.rounded(4))]) }),
        ]
        if let figure { fields["figure"] = .number(figure.rounded(2)) }
        if figure != nil, let unit = cause.unit(isModuleKnown: moduleWidth != nil) { fields["unit"] = .string(unit) }
        if let moduleWidth { fields["modulePixels"] = .number(moduleWidth.rounded(2)) }
        if let symbology { fields["symbology"] = .string(symbology.rawValue) }
        return .object(fields)
    }
}

extension Double {
    /// - Parameter decimals: 2 or 4.
    fileprivate func rounded(_ decimals: Int) -> Double {
        let scale = decimals == 4 ? 10_000.0 : 100.0
        return (self * scale).rounded() / scale
    }
}
