/// Decimal numbers as text: no `nan`, `inf` or hexadecimal on the way in, no needless `.0` on the way out.
enum NumberText {
    static func parse<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ text: some StringProtocol) -> Value? {
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || ".eE+-".contains($0)) }) else { return nil }
        guard let value = Value(String(text)), value.isFinite else { return nil }
        return value
    }

    static func text<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ value: Value) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
