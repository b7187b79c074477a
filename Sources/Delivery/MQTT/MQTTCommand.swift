import Settings
import Vocabulary
import Wire

/// What a message on one of the station's command topics asks for.
enum MQTTCommand: Hashable, Sendable {
    case command(Command, tag: JSONValue?)
    /// `accept` or `refuse`, with the scan's id.
    case answer(Command, tag: JSONValue?)

    /// Messages beyond this aren't looked at.
    static let maxBytes = 65_536

    /// Why a message isn't obeyed; it is answered, never dropped silently.
    struct Problem: Error, Hashable {
        var command: String
        var message: String
        var tag: JSONValue?
    }

    static func parse(_ message: MQTTMessage, topics: MQTTTopics) -> Result<MQTTCommand, Problem>? {
        let name: String
        switch message.topic {
        case topics.torchCommand: name = "torch"
        case topics.trigger: name = "trigger"
        case topics.answer: name = "answer"
        default: return nil
        }
        guard !message.isRetained else {
            let text = "\(message.topic): ignored, as it was retained, so from an earlier time: publish without retain"
            return .failure(Problem(command: name, message: text))
        }
        guard message.payload.count <= maxBytes else {
            let text = "\(message.topic): \(message.payload.count) bytes are more than the limit of \(maxBytes)"
            return .failure(Problem(command: name, message: text))
        }
        switch message.topic {
        case topics.torchCommand: return torch(message.payload)
        case topics.trigger: return trigger(message.payload)
        default: return answer(message.payload)
        }
    }

    private static func word(_ payload: [UInt8]) -> String? {
        String(validating: payload, as: UTF8.self)?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    // MARK: torch/set

    private static func torch(_ payload: [UInt8]) -> Result<MQTTCommand, Problem> {
        let advice = "send ON, OFF, auto or session, or {\"state\":\"ON\",\"effect\":\"auto\"}"
        let asked: String
        var tag: JSONValue?
        if payload.first(where: { $0 != 0x20 }) == UInt8(ascii: "{") {
            do throws(JSONError) {
                let json = try JSONValue(parsing: payload)
                tag = json["tag"]
                // Home Assistant sends both when an effect is chosen; a mode is as the control socket has it.
                guard let text = (json["effect"] ?? json["mode"] ?? json["state"])?.stringValue else {
                    return .failure(
                        Problem(command: "torch", message: "torch: \"state\" is missing; \(advice)", tag: tag))
                }
                let isOff = json["state"]?.stringValue?.lowercased() == "off"
                asked = isOff ? "off" : text
            } catch {
                return .failure(Problem(command: "torch", message: "torch: \(error); \(advice)"))
            }
        } else {
            asked = word(payload) ?? ""
        }
        guard let mode = TorchMode(rawValue: asked.lowercased()) else {
            let shown = asked.prefix(scalars: 40)
            return .failure(
                Problem(command: "torch", message: "torch: \"\(shown)\" is not a mode; \(advice)", tag: tag))
        }
        return .success(.command(.torch(mode), tag: tag))
    }

    // MARK: trigger

    private static func trigger(_ payload: [UInt8]) -> Result<MQTTCommand, Problem> {
        if let word = word(payload), word.isEmpty || word.uppercased() == "PRESS" {
            return .success(.command(.trigger, tag: nil))
        }
        switch CommandDecoder().decode(payload) {
        case .success(let decoded):
            switch decoded.command {
            case .trigger, .release, .confirm: return .success(.command(decoded.command, tag: decoded.tag))
            default:
                // The others belong to the control socket, which has permissions.
                let text = "this topic takes PRESS, or the commands trigger, release and confirm"
                return .failure(Problem(command: decoded.command.name, message: text, tag: decoded.tag))
            }
        case .failure(let error):
            let text = "trigger: send PRESS or {\"command\":\"trigger\"}; \(error.message)"
            return .failure(Problem(command: "trigger", message: text, tag: error.tag))
        }
    }

    // MARK: answer

    /// An answer must name its scan: whoever publishes to a broker isn't known, so neither is what it was sent, and a broker
    /// hands over late what was published long ago.
    private static func answer(_ payload: [UInt8]) -> Result<MQTTCommand, Problem> {
        func problem(_ text: String, _ tag: JSONValue? = nil) -> Result<MQTTCommand, Problem> {
            .failure(Problem(command: "answer", message: "answer: \(text)", tag: tag))
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: payload)
        } catch {
            return problem("\(error); send {\"id\":SCAN,\"accept\":true}")
        }
        let tag = json["tag"]
        guard let isAccepted = json["accept"]?.boolValue else {
            return problem("\"accept\" must be true or false", tag)
        }
        var texts: [String: String] = [:]
        for key in ["id", "reason"] {
            guard let value = json[key], value != .null else { continue }
            guard let text = value.stringValue, text.unicodeScalars.count <= CommandLimits().maxTextLength else {
                return problem("\"\(key)\" must be a text of at most \(CommandLimits().maxTextLength) characters", tag)
            }
            texts[key] = text
        }
        guard let id = texts["id"] else {
            return problem("\"id\" is missing: the scan event's id says which scan is meant", tag)
        }
        guard isAccepted else { return .success(.answer(.refuse(id: id, reason: texts["reason"]), tag: tag)) }
        let relay: RelayWish
        switch json["relay"] {
        case nil, .null: relay = .asConfigured
        case .bool(let isOn): relay = isOn ? .pulse(nil) : .none
        case .string(let text):
            guard let length = pulse(text) else {
                return problem(
                    "\"relay\" can't be \"\(text.prefix(scalars: 40))\": true, false or a length as in \"500ms\", \"2s\"",
                    tag)
            }
            relay = .pulse(length)
        case .some: return problem("\"relay\" must be true, false or a length as in \"500ms\"", tag)
        }
        return .success(.answer(.accept(id: id, relay: relay), tag: tag))
    }

    /// `500ms`, `1.5s`; up to the longest pulse that a command may ask for.
    static func pulse(_ text: String) -> Duration? {
        let (digits, unit): (Substring, Double) =
            text.hasSuffix("ms")
            ? (text.dropLast(2), 1_000) : text.hasSuffix("s") ? (text.dropLast(), 1_000_000) : ("", 0)
        guard let first = digits.first, first.isASCII, first.isNumber, let number = Double(digits), number > 0 else {
            return nil
        }
        let microseconds = number * unit
        let longest = CommandLimits().maxRelayPulse
        guard microseconds >= 1, microseconds <= longest / .microseconds(1) else { return nil }
        return .microseconds(Int64(microseconds.rounded()))
    }
}
