import Wire

/// A client's line. It may wait for its turn while another command is carried out; which scan an answer belongs to is found out when it comes, by what
/// the client had been sent then.
package enum ReceivedCommand: Hashable, Sendable {
    case command(DecodedCommand, resolved: Result<Command, CommandProblem>)
    case error(CommandError)

    package init(
        _ decoded: Result<DecodedCommand, CommandError>, resolve: (Command) -> Result<Command, CommandProblem>
    ) {
        switch decoded {
        case .success(let decoded): self = .command(decoded, resolved: resolve(decoded.command))
        case .failure(let error): self = .error(error)
        }
    }
}
