import Synchronization

/// What stations told in all their runs, over the trace and over the control socket.
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
        var errors: [String: Int] = [:]

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
