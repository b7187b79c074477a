import Synchronization
import Vocabulary

/// The newest camera state for any number of async sequences. Only the newest states matter: a reader that falls behind by
/// more than `depth` misses the older ones.
final class StateBroadcast: Sendable {
    static let depth = 16

    private struct State {
        var current: CameraState = .notLoaded
        var streams = StreamRegistry<CameraState>()
    }

    // Yielding under the lock keeps the order; a continuation's own lock is a leaf and calls nobody back on `yield`.
    private let state = Mutex(State())

    func stream() -> AsyncStream<CameraState> {
        state.withLock { $0.streams.stream(limit: Self.depth, startingWith: $0.current) }
    }

    func send(_ new: CameraState) {
        state.withLock { state in
            state.current = new
            state.streams.yield(new)
        }
    }

    func finish() { state.withLock { $0.streams.finish() } }
}
