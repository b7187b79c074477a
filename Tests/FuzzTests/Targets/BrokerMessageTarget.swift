import Settings
import Wire

@testable import Delivery

/// A message that a broker hands over: a letter for the topic, one for "retained", the payload.
enum BrokerMessageTarget {
    private static let topics = MQTTTopics(MQTTSettings(host: "broker"), station: "dock-1")
    private static let kinds: [String] = [topics.torchCommand, topics.trigger, topics.answer, topics.scan]

    static func check(_ input: inout FuzzInput) throws {
        let topic = input.choice(of: kinds)
        let isRetained = input.choice(of: [false, true])
        let message = MQTTMessage(topic: topic, payload: input.all(), isRetained: isRetained)
        guard let parsed = MQTTCommand.parse(message, topics: topics) else {
            return try demand(topic == topics.scan, "every command is answered, or obeyed")
        }
        try demand(topic != topics.scan, "only what came on a topic for commands is one")
        switch parsed {
        case .failure(let problem):
            try demand(!problem.message.isEmpty, "a problem says what to do")
            try demand(problem.message.utf8.count <= 4096, "a problem is short: \(problem.message.utf8.count) bytes")
            try Lines.demandJSON(Reply(command: problem.command, error: problem.message).line(tag: problem.tag))
        case .success(let obeyed):
            try demand(!isRetained, "nothing that was retained acts")
            try demand(message.payload.count <= MQTTCommand.maxBytes, "nothing beyond the limit acts")
            try hold(obeyed, on: topic)
        }
    }

    private static func hold(_ obeyed: MQTTCommand, on topic: String) throws {
        let limits = CommandLimits()
        switch obeyed {
        case .command(.torch, let tag):
            try demand(topic == topics.torchCommand, "the torch has a topic of its own")
            try Lines.demandJSON(Reply(command: "torch").line(tag: tag))
        case .command(.trigger, _), .command(.release, _), .command(.confirm, _):
            try demand(topic == topics.trigger, "triggers have a topic of their own")
        case .answer(.accept(let id?, let relay), _):
            try demand(topic == topics.answer, "answers have a topic of their own")
            try demand(!id.isEmpty, "an answer names its scan")
            try demand(id.utf8.count <= 4 * limits.maxTextLength, "an id is within its limit: \(id.utf8.count)")
            if case .pulse(let pulse?) = relay {
                try demand(RelaySettings.pulses.contains(pulse), "a pulse is within its limits: \(pulse)")
            }
        case .answer(.refuse(let id?, let reason), _):
            try demand(topic == topics.answer, "answers have a topic of their own")
            try demand(!id.isEmpty, "an answer names its scan")
            try demand(
                (reason?.utf8.count ?? 0) <= 4 * limits.maxTextLength, "a reason is within its limit: \(reason ?? "")")
        default:
            throw BrokenPromise(promise: "a broker can't ask for this: \(obeyed)", file: #fileID, line: #line)
        }
    }
}
