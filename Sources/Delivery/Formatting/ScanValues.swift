import Settings
import Templates
import Vocabulary
import Wire

/// The values of a template's fields for one scan, under the output's policy for secrets.
struct ScanValues {
    /// What stands for a secret; the wire format writes the same.
    static let redacted = "(redacted)"

    private let event: Event
    private let body: ScanEvent
    private let secrets: SecretPolicy
    private var symbol: Symbol { body.scan.symbol }

    /// The event as clients get it. What a payload says is looked up in there: its names are documented, and secrets are
    /// withheld in it already.
    private lazy var line: [UInt8] = event.line(secrets: secrets)
    private lazy var payload: JSONValue? = (try? JSONValue(parsing: line.dropLast()))?["payload"]

    init(event: Event, body: ScanEvent, secrets: SecretPolicy) {
        self.event = event
        self.body = body
        self.secrets = secrets
    }

    /// Whether the code holds a secret that this output may not show.
    var isWithheld: Bool { secrets == .withheld && body.payload.holdsSecret }

    subscript(field: Template.Field) -> Template.Value {
        mutating get {
            switch field {
            case .text: ownWords(symbol.text.map { Array($0.utf8) } ?? symbol.bytes)
            case .bytes: ownWords(symbol.bytes)
            case .aim: text(symbol.aim)
            case .code: Template.Value([CodeLetter.letter(of: symbol)])
            case .symbology: text(symbol.symbology.rawValue)
            case .addOn: text(symbol.addOn ?? "")
            case .gtin: text(gtin ?? "")
            case .gtin13: text(gtin.flatMap { $0.hasPrefix("0") ? String($0.dropFirst()) : nil } ?? "")
            case .id: text(body.scan.id)
            case .sequence: text(String(body.scan.sequence))
            case .session: text(String(body.scan.session))
            case .journal: text(body.journal)
            case .trigger: text(body.scan.trigger.rawValue)
            case .station: text(event.stamp.station)
            case .time: text(time)
            case .date: text(String(time.prefix(10)))
            case .clock: text(String(time.dropFirst(11).prefix(8)))
            case .unixTime: text(String(event.stamp.wallNanoseconds.flooredSeconds))
            case .json: Template.Value(line.dropLast())
            case .gs1(let ai): text(gs1Value(ai) ?? "")
            case .payload(let path): payloadValue(path)
            }
        }
    }

    private func text(_ text: String) -> Template.Value { Template.Value(Array(text.utf8)) }

    /// What the code itself says: nothing of it is shown where a secret in it is withheld.
    private func ownWords(_ bytes: [UInt8]) -> Template.Value {
        isWithheld ? Template.Value(Array(Self.redacted.utf8), isFinal: true) : Template.Value(bytes)
    }

    private var time: String { WallTime.rfc3339(nanoseconds: event.stamp.wallNanoseconds) }

    /// GS1 data of the code, or of a Digital Link.
    private var gs1: JSONValue? {
        mutating get {
            switch payload?["kind"]?.stringValue {
            case "gs1": payload
            case "url": payload?["gs1"]
            default: nil
            }
        }
    }

    /// 14 digits. A product number whose check digit is wrong, or was stripped, is none.
    private var gtin: String? {
        mutating get {
            if payload?["kind"]?.stringValue == "product" {
                return payload?["checkDigit"]?.boolValue == true ? payload?["gtin"]?.stringValue : nil
            }
            return gs1?["gtin"]?.stringValue
        }
    }

    private mutating func gs1Value(_ ai: String) -> String? {
        gs1?["elements"]?.arrayValue?.first { $0["ai"]?.stringValue == ai }?["value"]?.stringValue
    }

    private mutating func payloadValue(_ path: [String]) -> Template.Value {
        var value = payload
        for key in path {
            if let list = value?.arrayValue { value = list.first }
            value = value?[key]
        }
        if let list = value?.arrayValue { value = list.first }
        switch value {
        case .string(let string):
            return Template.Value(Array(string.utf8), isFinal: body.payload.holdsSecret && string == Self.redacted)
        case .integer, .number, .bool: return Template.Value(value?.bytes ?? [])
        case nil, .null, .array, .object: return Template.Value([])
        }
    }
}

extension Int64 {
    /// Whole seconds of a number of nanoseconds, rounded down also before 1970.
    fileprivate var flooredSeconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
