import Glibc
import Linux
import Vocabulary
import Wire

/// Commands of a client: one at a time, answered in order.
extension ControlServer {
    func readCommands(_ client: ClientConnection) {
        var turns = 0
        while !client.hasEnded, !client.isClosing, client.commands.count < limits.clientCommands {
            // One that floods us waits while the others get their turn; what a client left behind when it hung up ends.
            if client.watch != nil, turns == limits.readsPerTurn { break }
            turns += 1
            switch client.descriptor.read(limit: 16_384) {
            case .bytes(let bytes): take(client.splitter.add(bytes), from: client)
            case .nothing: return settle(client)
            case .end, .failed:
                client.hasEnded = true
                take(client.splitter.finish(), from: client)
            }
        }
        settle(client)
    }

    func take(_ parts: [LineSplitter.Part], from client: ClientConnection) {
        for part in parts {
            client.hasSpoken = true
            switch part {
            case .line(let line): client.commands.append(line)
            case .overlong:
                noticeSink.yield(.overlongLine(client.id, limit: settings.maxLineBytes))
                let message =
                    "a line is longer than \(settings.maxLineBytes) bytes (maxLineBytes): the connection is closed"
                client.isClosing = true
                client.commands = []
                send(Reply(command: "", error: message).line(), to: client)
            }
        }
        runNext(client)
    }

    /// After something changed: closes the client if it is done, else asks for what it needs.
    func settle(_ client: ClientConnection) {
        guard clients[client.id] != nil else { return }
        if client.outgoing.isEmpty, client.isClosing || client.isDone { return close(client) }
        updateInterest(client)
    }

    func runNext(_ client: ClientConnection) {
        while !client.isBusy, !client.isClosing, !client.commands.isEmpty {
            let line = client.commands.removeFirst()
            switch decoder.decode(line) {
            case .failure(let error): send(error.reply.line(tag: error.tag), to: client)
            case .success(let decoded): carryOut(decoded, for: client)
            }
        }
    }

    func carryOut(_ decoded: DecodedCommand, for client: ClientConnection) {
        client.isBusy = true
        if case .subscribe(let types, let after, let journal) = decoded.command {
            return subscribe(client, types: types, after: after, journal: journal, tag: decoded.tag)
        }
        let id = client.id
        switch client.ledger.resolve(decoded.command, at: Instant.now) {
        case .failure(let problem):
            // In a turn of its own, as the other commands: `runNext`, which called, goes on afterwards.
            let line = problem.reply.line(tag: decoded.tag)
            loop.execute { self.assumeIsolated { $0.finish(id, line) } }
        case .success(let command):
            Task { [handler] in
                let reply = await handler(command, id)
                self.finish(id, reply.line(tag: decoded.tag))
            }
        }
    }

    func finish(_ id: ClientID, _ line: [UInt8]) {
        guard let client = clients[id] else { return }
        client.isBusy = false
        send(line, to: client)
        runNext(client)
        // The socket may hold more than was read while commands waited.
        readCommands(client)
    }
}
