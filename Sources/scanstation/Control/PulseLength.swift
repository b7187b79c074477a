import ArgumentParser

/// How long the relay is to be pulsed: `500ms`, `1.5s`, or a bare number of milliseconds. One grammar for every command that takes it.
enum PulseLength {
    static func parse(_ text: String) throws -> Duration {
        let (digits, unit): (Substring, Double) =
            text.hasSuffix("ms")
            ? (text.dropLast(2), 1) : text.hasSuffix("s") ? (text.dropLast(), 1000) : (text[...], 1)
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
            (1...3_600_000).contains(number * unit)
        else { throw ValidationError("\"\(text)\" is not the length of a pulse: write 500ms or 1.5s, 1 ms to 1 h") }
        return .microseconds(Int64((number * unit * 1000).rounded()))
    }
}
