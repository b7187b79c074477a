import Wire

/// Commands at a `unix` output: answers settle scans if the output waits for them; the rest is the station's.
struct ClientAnswerDoor: Sendable {
    /// `nil`: scans are settled by being written.
    let answers: ClientAnswers?
    /// `nil`: the socket only gives out events.
    let handler: CommandHandler?

    func answer(_ command: Command, from client: ClientID) async -> Reply {
        if let answers {
            switch command {
            case .ack(let id): return settle(.accepted, id, command, answers)
            // The host's verdict, which the station wants to hear too; a verdict says that the scan arrived.
            case .accept(let id, _):
                let reply = settle(.accepted, id, command, answers)
                return await handler?(command, client) ?? reply
            case .refuse(let id, let reason):
                let reply = settle(.refused(reason: reason ?? "refused by the client"), id, command, answers)
                return await handler?(command, client) ?? reply
            default: break
            }
        }
        guard let handler else {
            let message = "this socket only gives out events: send commands to the control socket"
            return Reply(command: command.name, error: message)
        }
        return await handler(command, client)
    }

    private func settle(_ receipt: Receipt, _ id: String?, _ command: Command, _ answers: ClientAnswers) -> Reply {
        guard answers.add(receipt, to: id) else {
            return Reply(command: command.name, error: "no scan waits for an answer: name one by its \"id\"")
        }
        return Reply(command: command.name)
    }
}
