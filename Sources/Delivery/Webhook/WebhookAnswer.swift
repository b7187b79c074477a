import Vocabulary
import Wire

/// What the body of an answer says about scans: `{"accept":false,"reason":"unknown","relay":"500ms"}`, or for a batch
/// `{"results":[{"id":…,"accept":…},…]}`. `relay` is true (a pulse), false, or the length of a pulse: `"500ms"`, `"2s"`, or
/// milliseconds as in the command `accept`. Members that aren't known are ignored.
struct WebhookAnswer: Hashable, Sendable {
    /// Characters of a reason; the rest is cut.
    static let maxReasonLength = 256
    /// The longest pulse that may be asked for; the relay has a shorter limit of its own.
    static let maxPulse: Duration = .seconds(3600)

    struct Verdict: Hashable, Sendable {
        var isAccepted: Bool
        var reason: String?
        var relay: HostAnswer.Relay = .asConfigured
    }

    /// For all scans that `results` doesn't name.
    var overall: Verdict?
    var results: [String: Verdict] = [:]

    /// Throws what is wrong with a body that isn't empty.
    init(_ body: [UInt8]) throws(Problem) {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: body, limits: JSONLimits(maxDepth: 8, maxBytes: body.count))
        } catch {
            throw Problem(message: "\(error)")
        }
        guard case .object = json else { throw Problem(message: "\(json.typeName) instead of an object") }
        overall = try Self.verdict(json)
        guard let list = json["results"] else { return }
        guard let list = list.arrayValue else {
            throw Problem(message: "\"results\" is \(list.typeName), not an array")
        }
        for item in list {
            guard let id = item["id"]?.stringValue else {
                throw Problem(message: "a member of \"results\" has no \"id\"")
            }
            results[id] = try Self.verdict(item)
        }
    }

    func verdict(for scan: String) -> Verdict? { results[scan] ?? overall }

    struct Problem: Error, Hashable {
        var message: String
    }

    private static func verdict(_ json: JSONValue) throws(Problem) -> Verdict? {
        guard let accept = json["accept"] else { return nil }
        guard let isAccepted = accept.boolValue else {
            throw Problem(message: "\"accept\" is \(accept.typeName), not true or false")
        }
        var verdict = Verdict(isAccepted: isAccepted)
        verdict.reason = json["reason"]?.stringValue.map { $0.prefix(scalars: maxReasonLength) }
        switch json["relay"] {
        case nil, .null?: break
        case .bool(let isPulse)?: verdict.relay = isPulse ? .pulse(nil) : .none
        case let length?:
            guard let pulse = pulse(length) else {
                throw Problem(message: "\"relay\" is true, false, milliseconds, or a time such as \"500ms\" or \"2s\"")
            }
            verdict.relay = .pulse(pulse)
        }
        return verdict
    }

    private static func pulse(_ length: JSONValue) -> Duration? {
        let pulse = length.stringValue.map(time) ?? length.integerValue.map { .milliseconds($0) }
        return pulse.flatMap { $0 > .zero && $0 <= maxPulse ? $0 : nil }
    }

    /// `500ms`, `2s`.
    private static func time(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...9).contains(digits.count), let number = Int64(digits) else { return nil }
        return switch text.dropFirst(digits.count) {
        case "ms": .milliseconds(number)
        case "s": .seconds(number)
        default: nil
        }
    }
}
