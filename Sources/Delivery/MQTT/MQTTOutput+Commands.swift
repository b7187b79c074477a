import Wire

/// What comes from the broker: commands, the host's answers, and Home Assistant's "I am here".
extension MQTTOutput {
    /// A command that waits for the station.
    struct Asked: Sendable {
        var command: Command
        /// Its name in the reply.
        var name: String
        var tag: JSONValue?
    }

    /// One command after another, in the order they came; answers don't wait for commands, as doors wait for them.
    func obeyCommands() {
        commands = queue()
        answers = queue()
    }

    private func queue() -> AsyncStream<Asked>.Continuation {
        let (stream, continuation) = AsyncStream<Asked>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.commandQueue))
        let carryOut = context.commands
        let client = clientNumber
        Task { [weak self] in
            for await asked in stream {
                var reply = await carryOut(asked.command, client)
                reply.command = asked.name
                await self?.reply(reply, tag: asked.tag)
            }
        }
        return continuation
    }

    func subscribe() {
        var wanted: [String] = []
        if settings.commands { wanted += [topics.torchCommand, topics.trigger, topics.answer] }
        if discovery != nil { wanted += topics.births.sorted() }
        for topic in wanted {
            guard let client = connection?.client else { return }
            switch client.subscribe(to: topic) {
            case .success(let id): connection?.subscriptions[id] = topic
            case .failure(let problem): note("cannot subscribe to \(topic): \(problem.text)")
            }
        }
    }

    func subscribed(id: Int32, granted: Int32) {
        guard let topic = connection?.subscriptions.removeValue(forKey: id), granted >= 128 else { return }
        note("the broker doesn't let us subscribe to \(topic), so nothing is obeyed from there: see its access list")
    }

    private func note(_ text: String) {
        figures.lastError = text
        notes.append(text)
        if status.current.state == .ready { showReady() }
    }

    func received(_ message: MQTTMessage) {
        guard !isStopped else { return }
        if topics.births.contains(message.topic) {
            // A retained one is older than this connection, after which everything was announced.
            if !message.isRetained, message.payload == Array("online".utf8) { announce() }
            return
        }
        switch MQTTCommand.parse(message, topics: topics) {
        case nil: break
        case .success(.answer(let command, let tag)):
            ask(Asked(command: command, name: "answer", tag: tag), answers)
        case .success(.command(let command, let tag)):
            ask(Asked(command: command, name: command.name, tag: tag), commands)
        case .failure(let problem):
            reply(Reply(command: problem.command, error: problem.message), tag: problem.tag)
        }
    }

    private func ask(_ asked: Asked, _ queue: AsyncStream<Asked>.Continuation?) {
        guard case .dropped = queue?.yield(asked) else { return }
        let text = "\(limits.commandQueue) of its kind are waiting already: try again later"
        reply(Reply(command: asked.name, error: text), tag: asked.tag)
    }

    private func reply(_ reply: Reply, tag: JSONValue?) {
        var line = reply.line(tag: tag)
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        post(MQTTClient.Publication(topic: topics.reply, payload: line))
    }
}
