/// A field's value before it becomes JSON or a template's text.
package enum FieldValue: Hashable, Sendable {
    case text(String)
    case flag(Bool)
    case integer(Int)
    case unsigned(UInt64)
    /// Rounded to at most this many decimal places.
    case decimal(Double, places: Int)
    /// Base64 in JSON.
    case bytes([UInt8])
    case list([FieldValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: FieldValue
    }

    /// The first of a list; anything else is itself.
    package var first: FieldValue? { if case .list(let values) = self { values.first } else { self } }

    /// The member of an object, or of the first one of a list; `nil` if there is none.
    package subscript(name: String) -> FieldValue? {
        guard case .object(let members)? = first else { return nil }
        return members.first { $0.name == name }?.value
    }
}

/// What a field may be read as. `nil` and empty lists are left out.
protocol FieldConvertible: Sendable {
    var fieldValue: FieldValue? { get }
}

extension FieldValue: FieldConvertible { var fieldValue: FieldValue? { self } }
extension String: FieldConvertible { var fieldValue: FieldValue? { .text(self) } }
extension Bool: FieldConvertible { var fieldValue: FieldValue? { .flag(self) } }
extension Int: FieldConvertible { var fieldValue: FieldValue? { .integer(self) } }
extension UInt64: FieldConvertible { var fieldValue: FieldValue? { .unsigned(self) } }
extension Optional: FieldConvertible where Wrapped: FieldConvertible {
    var fieldValue: FieldValue? { flatMap(\.fieldValue) }
}
extension [String]: FieldConvertible {
    var fieldValue: FieldValue? { isEmpty ? nil : .list(map(FieldValue.text)) }
}
