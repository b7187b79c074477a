import Settings
import Synchronization
import Vocabulary

/// Cues on their way to the player. Posting never waits; when the player doesn't keep up, the least important cue is left out, and among
/// equals the oldest.
final class FeedbackInbox: Sendable {
    struct Cue: Hashable, Sendable {
        var cue: FeedbackCue
        var at: Instant
    }

    struct Contents: Sendable {
        var cues: [Cue] = []
        /// The latest wish; `nil`: unchanged.
        var isReady: Bool?
    }

    private struct State: Sendable {
        var contents = Contents()
        var leftOut: UInt64 = 0
    }

    /// The most cues that wait.
    static let capacity = 8

    private let state = Mutex(State())

    func post(_ cue: FeedbackCue, at instant: Instant) {
        state.withLock { state in
            state.contents.cues.append(Cue(cue: cue, at: instant))
            guard state.contents.cues.count > Self.capacity else { return }
            let cues = state.contents.cues
            if let index = cues.indices.min(by: { cues[$0].cue.priority < cues[$1].cue.priority }) {
                state.contents.cues.remove(at: index)
                state.leftOut += 1
            }
        }
    }

    func post(isReady: Bool) { state.withLock { $0.contents.isReady = isReady } }

    func take() -> Contents {
        state.withLock { state in
            defer { state.contents = Contents() }
            return state.contents
        }
    }

    var leftOut: UInt64 { state.withLock(\.leftOut) }
}
