import Synchronization
import Vocabulary

/// The newest camera state for any number of async sequences. Only the newest states matter: a reader that falls behind by
/// more than `depth` misses the older ones.
final class StateBroadcast: Sendable {
    static let depth = 16

    private struct State {
        var current: CameraState = .notLoaded
        var isFinished = false
        var continuations: [UInt64: AsyncStream<CameraState>.Continuation] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    func stream() -> AsyncStream<CameraState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CameraState.self, bufferingPolicy: .bufferingNewest(Self.depth))
        // Yielding under the lock keeps the order; a continuation's own lock is a leaf and calls nobody back on `yield`.
        let id = state.withLock { state -> UInt64? in
            continuation.yield(state.current)
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ new: CameraState) {
        state.withLock { state in
            state.current = new
            for continuation in state.continuations.values { continuation.yield(new) }
        }
    }

    func finish() {
        let ended = state.withLock { state in
            state.isFinished = true
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in ended { continuation.finish() }
    }
}
