import ScanCore
import Vocabulary
import Wire

/// A client's line. It may wait for its turn while another command is carried out; which scan an answer belongs to is found out when it comes, by what
/// the client had been sent then.
package enum ReceivedCommand: Hashable, Sendable {
    case command(DecodedCommand, resolved: Result<Command, CommandProblem>)
    case error(CommandError)

    /// A command that the client isn't allowed is refused at its turn: it answers nothing here.
    package init(
        _ decoded: Result<DecodedCommand, CommandError>, ledger: inout OfferLedger, at now: Instant,
        isAllowed: (Command) -> Bool = { _ in true }
    ) {
        switch decoded {
        case .success(let decoded) where isAllowed(decoded.command):
            self = .command(decoded, resolved: ledger.resolve(decoded.command, at: now))
        case .success(let decoded): self = .command(decoded, resolved: .success(decoded.command))
        case .failure(let error): self = .error(error)
        }
    }
}
