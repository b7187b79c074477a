import Wire

/// Commands at a `unix` output: answers settle scans if the output waits for them; other commands go to the station. The server has tied
/// each answer to its scan (`OfferLedger`).
struct ClientAnswerDoor: Sendable {
    /// `nil`: scans are settled by being written.
    let answers: ClientAnswers?
    /// `nil`: the socket only gives out events.
    let handler: CommandHandler?

    func answer(_ command: Command, from client: ClientID) async -> Reply {
        if let answers {
            switch command {
            case .ack(let id):
                answers.add(.accepted, to: id)
                return Reply(command: command.name)
            // The host's verdict, which the station must hear too; a verdict also says that the scan arrived.
            case .accept(let id?, _):
                answers.add(.accepted, to: id)
                return await handler?(command, client) ?? Reply(command: command.name)
            case .refuse(let id?, let reason):
                answers.add(.refused(reason: reason ?? "refused by the client"), to: id)
                return await handler?(command, client) ?? Reply(command: command.name)
            default: break
            }
        }
        guard let handler else {
            let message = "this socket only gives out events: send commands to the control socket"
            return Reply(command: command.name, error: message)
        }
        return await handler(command, client)
    }
}
