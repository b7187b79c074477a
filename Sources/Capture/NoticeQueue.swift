import Synchronization

/// Notices on their way to one reader. Bounded: a reader that falls behind misses the oldest, and learns how many before it gets the next
/// one.
final class NoticeQueue: Sendable {
    /// The most notices that wait.
    static let depth = 256

    private typealias Reader = CheckedContinuation<CaptureNotice?, Never>

    private struct State {
        var waiting: [CaptureNotice] = []
        var missed = 0
        /// Set while the reader waits; then no notice waits.
        var reader: Reader?
        var isFinished = false
        var onDrop: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    deinit { state.withLock { $0.onDrop }?() }

    /// Called when the reader has dropped the queue.
    func onDrop(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onDrop = body } }

    /// From any thread; never waits.
    func add(_ notice: CaptureNotice) {
        let reader = state.withLock { state -> Reader? in
            guard !state.isFinished else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            if state.waiting.count == Self.depth {
                state.waiting.removeFirst()
                state.missed += 1
            }
            state.waiting.append(notice)
            return nil
        }
        reader?.resume(returning: notice)
    }

    /// The next notice; `nil` once finished. For one reader at a time.
    func next() async -> CaptureNotice? {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> CaptureNotice?? in
                if state.missed > 0 {
                    defer { state.missed = 0 }
                    return .missed(state.missed)
                }
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                if state.isFinished { return .some(nil) }
                state.reader = continuation
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Ends the reader's wait; notices that wait can still be read.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }
}
