import Vocabulary

/// The one timer of a peripheral, and the stream its owner's loop waits on. Firing twice or once too often is harmless.
struct Wakeup: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let life: Life
    private let clock: any PeripheralClock
    private var timer: PeripheralTimer?
    private var deadline: Instant?

    init(clock: any PeripheralClock) {
        self.clock = clock
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        life = Life(continuation)
    }

    /// Ends the stream with its owner: a loop that waits for signals from nobody would wait, and stay alive, forever.
    private final class Life: Sendable {
        private let continuation: AsyncStream<Void>.Continuation

        init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

        deinit { continuation.finish() }
    }

    /// Sets or clears the timer. Once it has fired, its owner calls this again with what is due next.
    mutating func set(_ wanted: Instant?) {
        // A deadline that has passed is set again: its signal may have been consumed before the owner's state allowed the action.
        if wanted == deadline, let wanted, wanted > clock.now { return }
        deadline = wanted
        timer = wanted.map { instant in
            clock.timer(at: instant) { [continuation] in continuation.yield() }
        }
    }

    /// Signals by hand; from any thread.
    var signal: @Sendable () -> Void { { [continuation] in continuation.yield() } }

    mutating func finish() {
        timer = nil
        deadline = nil
        continuation.finish()
    }
}
