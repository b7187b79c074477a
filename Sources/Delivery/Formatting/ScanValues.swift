import Settings
import Templates
import Vocabulary
import Wire

/// The values of a template's fields for one scan, under the output's policy for secrets.
struct ScanValues {
    /// Replaces a secret; the wire format writes the same.
    static let redacted = "(redacted)"

    private let event: Event
    private let body: ScanEvent
    private let secrets: SecretPolicy
    private var symbol: Symbol { body.scan.symbol }

    /// `nil` unless it is a scan.
    init?(_ event: Event, secrets: SecretPolicy) {
        guard case .scan(let body) = event.body else { return nil }
        (self.event, self.body, self.secrets) = (event, body, secrets)
    }

    /// Whether the code holds a secret that this output may not show.
    var isWithheld: Bool { secrets == .withheld && body.payload.holdsSecret }

    subscript(field: Template.Field) -> Template.Value {
        switch field {
        case .symbol(.text): ownWords(symbol.text.map { Array($0.utf8) } ?? symbol.bytes)
        case .symbol(.bytes): ownWords(symbol.bytes)
        case .symbol(let field): plain(symbol.value(of: field, isWithheld: isWithheld)?.plainBytes)
        case .scan(let field): plain(body.value(of: field)?.plainBytes)
        case .stamp(let field): plain(event.stamp.value(of: field)?.plainBytes)
        case .code: Template.Value([CodeLetter.letter(of: symbol)])
        case .gtin: text(body.payload.gtin ?? "")
        case .gtin13: text(body.payload.gtin.flatMap { $0.hasPrefix("0") ? String($0.dropFirst()) : nil } ?? "")
        case .date: text(String(time.prefix(10)))
        case .clock: text(String(time.dropFirst(11).prefix(8)))
        case .unixTime: text(String(event.stamp.wallNanoseconds.flooredSeconds))
        case .json: Template.Value(event.line(secrets: secrets).dropLast())
        case .gs1(let ai): text(body.payload.gs1?[ai]?.value ?? "")
        case .payload(let path): payloadValue(path)
        }
    }

    private func text(_ text: String) -> Template.Value { Template.Value(Array(text.utf8)) }

    private func plain(_ bytes: [UInt8]?) -> Template.Value { Template.Value(bytes ?? []) }

    /// What the code itself says; nothing of it is shown if a secret in it is withheld.
    private func ownWords(_ bytes: [UInt8]) -> Template.Value {
        isWithheld ? Template.Value(Array(Self.redacted.utf8), isFinal: true) : Template.Value(bytes)
    }

    private var time: String { WallTime.rfc3339(nanoseconds: event.stamp.wallNanoseconds) }

    private func payloadValue(_ path: [String]) -> Template.Value {
        let bytes = body.payload.value(at: path, secrets: secrets)?.plainBytes ?? []
        return Template.Value(bytes, isFinal: body.payload.holdsSecret && bytes == Array(Self.redacted.utf8))
    }
}

extension Int64 {
    /// Whole seconds of a number of nanoseconds, rounded down even before 1970.
    fileprivate var flooredSeconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
