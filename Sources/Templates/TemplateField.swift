import Payloads
import Vocabulary

extension Template {
    /// The fields of a scan that a template can write; docs/templates.md says what each gives. Below `payload.` they are those of the
    /// payload's JSON (`Payload.paths`). If the output withholds secrets, a code that contains one gives `(redacted)` for `{text}`,
    /// `{bytes}` and the secret.
    package enum Field: Hashable, Sendable {
        // The same as in JSON.
        case symbol(SymbolField)
        case scan(ScanField)
        case stamp(StampField)
        // Templates alone have these.
        case code
        case gtin, gtin13
        case date, clock, unixTime
        case json
        /// 2…4 digits.
        case gs1(ai: String)
        /// Keys of the payload on the wire, from the outside in; for a list, the first element.
        case payload([String])
    }
}

extension Template.Field {
    private static let plain: [(name: String, field: Template.Field)] =
        SymbolField.allCases.map { ($0.templateName, .symbol($0)) }
        + [("code", .code), ("gtin", .gtin), ("gtin13", .gtin13)]
        + ScanField.allCases.map { ($0.rawValue, .scan($0)) }
        + StampField.allCases.map { ($0.rawValue, .stamp($0)) }
        + [("time.date", .date), ("time.clock", .clock), ("time.unix", .unixTime), ("json", .json)]

    /// Names for a message; `{gs1.10}` and `{payload.url}` stand for their kin.
    static let names = plain.map(\.name) + ["gs1.10", "payload.url"]

    private static let gs1Prefix = "gs1."
    private static let payloadPrefix = "payload."

    /// `nil` if there is no such field.
    init?(name: String) {
        if let known = Self.plain.first(where: { $0.name == name }) {
            self = known.field
        } else if name.hasPrefix(Self.gs1Prefix) {
            let ai = name.dropFirst(Self.gs1Prefix.count)
            guard (2...4).contains(ai.utf8.count), ai.utf8.allSatisfy(CheckDigit.isDigit) else { return nil }
            self = .gs1(ai: String(ai))
        } else if name.hasPrefix(Self.payloadPrefix) {
            let path = name.dropFirst(Self.payloadPrefix.count)
            guard Payload.paths.contains(String(path)) else { return nil }
            self = .payload(path.split(separator: ".").map(String.init))
        } else {
            return nil
        }
    }

    /// What is wrong with a name that `init(name:)` refused.
    static func problem(with name: String) -> String {
        let known = plain.map(\.name) + Payload.paths.map { payloadPrefix + $0 }
        var problem = "unknown field {\(name)}"
        if let near = Spelling.nearest(to: name, among: known) { problem += ", did you mean {\(near)}?" }
        if name.hasPrefix(gs1Prefix) {
            return problem + " (after gs1. comes an application identifier of 2 to 4 digits, as in {gs1.10})"
        }
        if name.hasPrefix(payloadPrefix) {
            return problem + " (after payload. comes one of \(Payload.paths.joined(separator: ", ")))"
        }
        return problem + " (fields are \(names.map { "{\($0)}" }.joined(separator: " ")), and {{ is a brace)"
    }
}
