import Wire

/// Commands and the host's answers that came from a broker: each kind is carried out one after another, in the order they came. Answers don't
/// wait for commands, because doors wait for answers.
struct MQTTInbox: Sendable {
    enum Kind: Sendable { case command, answer }

    /// One of them, that waits for the station.
    struct Asked: Sendable {
        let command: Command
        /// Its name in the reply.
        let name: String
        let tag: JSONValue?
    }

    private let commands: AsyncStream<Asked>.Continuation
    private let answers: AsyncStream<Asked>.Continuation

    /// - Parameters:
    ///   - limit: how many of a kind wait before more are refused.
    ///   - client: whose they are, as the station tells its clients apart.
    ///   - reply: is called for each of them, in order.
    init(
        limit: Int, client: ClientID, carryOut: @escaping CommandHandler,
        reply: @escaping @Sendable (Reply, JSONValue?) async -> Void
    ) {
        func queue() -> AsyncStream<Asked>.Continuation {
            let (stream, continuation) = AsyncStream<Asked>.makeStream(bufferingPolicy: .bufferingOldest(limit))
            Task {
                for await asked in stream {
                    var answer = await carryOut(asked.command, client)
                    answer.command = asked.name
                    await reply(answer, asked.tag)
                }
            }
            return continuation
        }
        (commands, answers) = (queue(), queue())
    }

    /// - Returns: whether it waits for its turn now; `false`: too many of its kind do.
    func take(_ asked: Asked, _ kind: Kind) -> Bool {
        if case .dropped = (kind == .answer ? answers : commands).yield(asked) { false } else { true }
    }

    /// What waits is still carried out; nothing more is taken.
    func finish() {
        commands.finish()
        answers.finish()
    }
}
