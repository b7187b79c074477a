import StationConfiguration
import Vocabulary
import Wire

extension SettingForm {
    /// As `schema` lists it.
    /// - Parameter isFromConsole: the value was kept here, and overrides the configuration file.
    func json(isFromConsole: Bool) -> JSONValue {
        var fields: [String: JSONValue] = [
            "key": .string(path), "section": .string(String(path.prefix { $0 != "." })), "help": .string(help),
            "takes": .string(takes), "value": json(value), "default": json(standard), "whileRunning": true,
            "fromConsole": .bool(isFromConsole),
        ]
        fields.merge(Self.fields(of: shape)) { first, _ in first }
        return .object(fields)
    }

    private static func fields(of shape: ValueShape) -> [String: JSONValue] {
        switch shape {
        case .text: ["type": "text"]
        case .list: ["type": "list"]
        case .toggle: ["type": "switch"]
        case .choice(let words): ["type": "choice", "choices": .array(words.map(JSONValue.string))]
        case .integer(let range):
            [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ]
        case .number(let range):
            ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .duration(let range):
            [
                "type": "duration", "unit": "ms", "minimum": .number(range.lowerBound.milliseconds),
                "maximum": .number(range.upperBound.milliseconds),
            ]
        case .or(let shape, let word): fields(of: shape).merging(["or": .string(word)]) { first, _ in first }
        }
    }

    /// Numbers and switches as such; a time and everything else as it is written in the file.
    private func json(_ text: String?) -> JSONValue {
        guard let text else { return .null }
        var shape = shape
        if case .or(let inner, let word) = shape {
            if text == word { return .string(text) }
            shape = inner
        }
        switch shape {
        case .toggle: return .bool(text == "on")
        case .integer: return Int64(text).map(JSONValue.integer) ?? .string(text)
        case .number: return Double(text).map(JSONValue.number) ?? .string(text)
        default: return .string(text)
        }
    }
}
