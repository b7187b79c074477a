import ScanCore
import Vocabulary
import Wire

/// Ties a client's answers to the scans that they belong to.
extension OfferLedger {
    /// The command with the scan that it belongs to; other commands as they are. Fails with what to tell the client.
    package mutating func resolve(_ command: Command, at now: Instant) -> Result<Command, CommandProblem> {
        switch command {
        // An ack says that the client has the scan: its verdict is owed all the same.
        case .accept(let id?, _): answered(naming: id, at: now)
        case .refuse(let id?, _): answered(naming: id, at: now)
        case .accept(nil, let relay):
            return owner(of: command, at: now).map { .accept(id: $0, relay: relay) }
        case .refuse(nil, let reason):
            return owner(of: command, at: now).map { .refuse(id: $0, reason: reason) }
        default: break
        }
        return .success(command)
    }

    private mutating func owner(of command: Command, at now: Instant) -> Result<String, CommandProblem> {
        // All of them: with one named and the next one not, nobody can tell whether a program with several threads has answered in order.
        let advice = #"name every scan by its "id""#
        let problem: String
        switch answered(at: now) {
        case .scan(let id): return .success(id)
        case .ambiguous(let scans):
            problem =
                scans > 1
                ? "\(scans) scans that were sent here still wait for an answer, and any of them may be meant: \(advice)"
                : "more scans were sent here than are remembered, and any of them may be meant: \(advice)"
        case .doubted:
            problem =
                "an answer that came before, when several scans waited, may have been to the one that waits now: \(advice)"
        case .unasked: problem = "no scan that was sent here waits for an answer: \(advice)"
        case .untrusted:
            problem =
                "more answers came from here than scans were sent, so an answer without an id no longer counts: \(advice)"
        }
        let isRefusal = if case .refuse = command { true } else { false }
        return .failure(CommandProblem(command: command.name, message: problem, isObjection: isRefusal))
    }
}

/// Why a command isn't carried out, and what to do.
package struct CommandProblem: Error, Hashable {
    package let command: String
    package let message: String
    /// It refuses some scan all the same: nothing may accept any that can be meant in the host's place.
    package var isObjection = false

    var reply: Reply { Reply(command: command, error: message) }
}
