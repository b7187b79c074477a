import Glibc
import TestSupport
import Wire

/// `mosquitto_sub` and `mosquitto_pub`: clients that share only the broker with ours.
package final class BrokerClient {
    package struct Message: Hashable {
        package var topic: String
        package var isRetained: Bool
        package var qos: Int
        package var payload: String

        package var json: JSONValue? { try? JSONValue(parsing: Array(payload.utf8)) }
    }

    private let process: ToolProcess
    /// What came before the subscription was confirmed: retained messages.
    private var early: [Message] = []
    /// Not `@`, `%` or a backslash: those mean something in the format.
    private static let mark = ">"
    private static let readyTopic = "test/ready"

    /// Subscribes, and returns when the broker has accepted it.
    package init(_ broker: Broker, _ topics: String..., arguments: [String] = []) async throws {
        // The broker sends what it has retained as soon as it accepts the subscription.
        try await Self.publish("ready", to: Self.readyTopic, on: broker, retain: true, arguments: arguments)
        var all =
            ["-h", "localhost", "-p", "\(broker.port)", "-q", "1", "-F", "\(Self.mark)%t\t%r\t%q\t%p"] + arguments
        for topic in topics + [Self.readyTopic] { all += ["-t", topic] }
        process = try ToolProcess("mosquitto_sub", all)
        var early: [Message] = []
        while let message = await read(), message.topic != Self.readyTopic { early.append(message) }
        self.early = early
    }

    /// The next message; `nil` if there is none for long, or the program has ended.
    package func next() async -> Message? {
        if !early.isEmpty { return early.removeFirst() }
        // A client that lost its broker subscribes again, and gets what is retained again, at some point among the rest.
        while let message = await read() {
            if message.topic != Self.readyTopic { return message }
        }
        return nil
    }

    package func first(_ topic: String, _ fits: (Message) -> Bool = { _ in true }) async -> Message? {
        while let message = await next() {
            if message.topic == topic, fits(message) { return message }
        }
        return nil
    }

    /// Reads until there is something for each of these topics, in whatever order, and gives the latest of each by then.
    package func latest(of topics: String...) async -> [String: Message] {
        var found: [String: Message] = [:]
        while !topics.allSatisfy({ found[$0] != nil }), let message = await next() { found[message.topic] = message }
        return found
    }

    /// Nothing is lost by SIGKILL, and mosquitto_sub may hang when it gets SIGTERM.
    package func stop() async { await process.stop(SIGKILL) }

    private func read() async -> Message? {
        while let line = await process.output.readLine() {
            guard line.hasPrefix(Self.mark) else { continue }
            let parts = line.dropFirst().split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4 else { continue }
            return Message(
                topic: String(parts[0]), isRetained: parts[1] == "1", qos: Int(parts[2]) ?? -1,
                payload: String(parts[3]))
        }
        return nil
    }

    package static func publish(
        _ payload: String, to topic: String, on broker: Broker, retain: Bool = false, arguments: [String] = []
    ) async throws {
        let all = ["-h", "localhost", "-p", "\(broker.port)", "-q", "1", "-t", topic, "-m", payload]
        try await ToolProcess.run("mosquitto_pub", all + (retain ? ["-r"] : []) + arguments)
    }
}
