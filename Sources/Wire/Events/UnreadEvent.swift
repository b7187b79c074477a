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
                corners.points.map { .array([.number($0.x.asCoordinate), .number($0.y.asCoordinate)]) }),
        ]
        if let figure { fields["figure"] = .number(figure.asFigure) }
        if figure != nil, let unit = cause.unit(isModuleKnown: moduleWidth != nil) { fields["unit"] = .string(unit) }
        if let moduleWidth { fields["modulePixels"] = .number(moduleWidth.asFigure) }
        if let symbology { fields["symbology"] = .string(symbology.rawValue) }
        return .object(fields)
    }
}

extension Double {
    /// To a ten-thousandth.
    fileprivate var asCoordinate: Double { (self * 10_000).rounded() / 10_000 }

    /// To a hundredth.
    fileprivate var asFigure: Double { (self * 100).rounded() / 100 }
}
