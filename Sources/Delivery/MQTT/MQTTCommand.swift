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

    /// Why a message isn't obeyed. The station answers with it; a message is never dropped silently.
    struct Problem: Error, Hashable {
        var command: String
        var message: String
        var tag: JSONValue?
        /// A host refuses, and names no scan: any that can still be answered may be meant.
        var isObjection = false
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
            let text = "\(message.topic): ignored, because it was retained and may be old: publish without retain"
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
                // Home Assistant sends both when an effect is chosen; modes are those of the control socket.
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
                // Other commands belong to the control socket, which has permissions.
                let text = "this topic takes PRESS, or the commands trigger, release and confirm"
                return .failure(Problem(command: decoded.command.name, message: text, tag: decoded.tag))
            }
        case .failure(let error):
            let text = "trigger: send PRESS or {\"command\":\"trigger\"}; \(error.message)"
            return .failure(Problem(command: "trigger", message: text, tag: error.tag))
        }
    }

    // MARK: answer

    /// An answer must name its scan: nobody knows who publishes to a broker or which scans they saw, and a broker may hand over late what
    /// was published long ago.
    private static func answer(_ payload: [UInt8]) -> Result<MQTTCommand, Problem> {
        func problem(
            isObjection: Bool = false, _ text: String, _ tag: JSONValue?
        ) -> Result<MQTTCommand, Problem> {
            .failure(Problem(command: "answer", message: "answer: \(text)", tag: tag, isObjection: isObjection))
        }
        switch CommandDecoder(example: "{\"id\":SCAN,\"accept\":true}").decode(payload) {
        case .success(let decoded):
            switch decoded.command {
            case .accept(_?, _), .refuse(_?, _): return .success(.answer(decoded.command, tag: decoded.tag))
            case .accept, .refuse:
                let isRefusal = if case .refuse = decoded.command { true } else { false }
                return problem(
                    isObjection: isRefusal, "\"id\" is missing: the scan event's id says which scan is meant",
                    decoded.tag)
            default:
                return problem("\(decoded.command.name) isn't an answer: \"accept\" must be true or false", decoded.tag)
            }
        case .failure(let error): return problem(error.message, error.tag)
        }
    }
}
