import Capture
import Synchronization
import Vocabulary

/// Stands still until told.
final class TestClock: CaptureClock {
    private struct State {
        var now = Instant(nanoseconds: 1_000_000_000)
        var sleepers: [UInt64: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var nextID: UInt64 = 0
    }

    /// Each instant that somebody waits for, in the order in which they began.
    let waits = Recorder<Instant>()

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }

    func wait(until instant: Instant) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isDue = state.withLock { state in
                    if Task.isCancelled || state.now >= instant { return true }
                    state.sleepers[id] = (instant, continuation)
                    return false
                }
                waits.add(instant)
                if isDue { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.until < $1.until }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
