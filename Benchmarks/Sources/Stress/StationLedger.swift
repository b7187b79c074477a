import Synchronization

/// What stations reported in all their runs, over the trace and over the control socket.
final class StationLedger: Sendable {
    struct Contents: Sendable {
        /// In order, over the trace: what the journal said it had kept, just before the beep.
        var kept: [(sequence: UInt64, id: String)] = []
        /// From the decode that was accepted to that moment, of each.
        var keptSeconds: [Double] = []
        var commits = 0
        var beeps = 0
        /// Times that the buzzer sounded more often than there were commits in that run.
        var beepsWithoutCommit = 0
        /// On the control socket.
        var announced: [Delivered] = []
        var journalStates: [String] = []
        /// The latest of each output.
        var outputStates: [String: String] = [:]
        var errors: [String: Int] = [:]
        /// The tags of commands that were replied to.
        var tags: Set<String> = []
        /// When the scans were kept, by their ids; `Clock.now`, when it was read here.
        var keptAt: [String: Double] = [:]
        /// The host's answers, as the station tells them.
        var answers: [AnswerTold] = []
        /// Times that the relay moved.
        var pulses = 0

        var errorText: String {
            errors.isEmpty
                ? "none" : errors.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
    }

    private let contents = Mutex(Contents())

    var now: Contents { contents.withLock { $0 } }
    var keptCount: Int { contents.withLock { $0.kept.count } }

    func change(_ body: (inout Contents) -> Void) { contents.withLock { body(&$0) } }
}

/// An `answer` event of the station.
struct AnswerTold: Sendable {
    var scan: String
    var verdict: String
    var by: String
    var relay: Bool
    var isLate: Bool
    /// When it was read here, `Clock.now`.
    var at: Double
}
