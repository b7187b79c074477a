import Wire

/// What comes from the broker: commands, the host's answers, and Home Assistant's "I am here".
extension MQTTOutput {
    /// A command that waits for the station.
    struct Asked: Sendable {
        var command: Command
        var tag: JSONValue?
    }

    /// One command after another, in the order they came.
    func obeyCommands() {
        let (stream, continuation) = AsyncStream<Asked>.makeStream(
            bufferingPolicy: .bufferingOldest(limits.commandQueue))
        commands = continuation
        let carryOut = context.commands
        let client = clientNumber
        Task { [weak self] in
            for await asked in stream {
                let reply = await carryOut(asked.command, client)
                await self?.reply(reply, tag: asked.tag)
            }
        }
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
        switch MQTTCommand.parse(message, topics: topics, output: name) {
        case nil: break
        case .success(.answer(let answer, let tag)):
            context.answer(answer)
            reply(Reply(command: "answer"), tag: tag)
        case .success(.command(let command, let tag)):
            if case .dropped = commands?.yield(Asked(command: command, tag: tag)) {
                let text = "\(limits.commandQueue) commands are waiting already: try again later"
                reply(Reply(command: command.name, error: text), tag: tag)
            }
        case .failure(let problem):
            reply(Reply(command: problem.command, error: problem.message), tag: problem.tag)
        }
    }

    private func reply(_ reply: Reply, tag: JSONValue?) {
        var line = reply.line(tag: tag)
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        post(MQTTClient.Publication(topic: topics.reply, payload: line))
    }
}
