import Synchronization
import Vocabulary

@testable import Peripherals

/// A clock that stands still until a test moves it. Timers fire while it is moved, in order.
final class ManualClock: PeripheralClock {
    private struct Timer {
        var id: UInt64
        var deadline: Instant
        var action: @Sendable () -> Void
    }

    private struct State {
        var now = Instant.zero.advanced(by: .seconds(1000))
        /// CLOCK_MONOTONIC lags by the time spent suspended.
        var suspended: Duration = .seconds(400)
        var timers: [Timer] = []
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())
    private let (set, setContinuation) = AsyncStream.makeStream(of: Instant.self)

    /// Waits until somebody sets a timer for `deadline`: then what the timer is for has arrived. One waiter at a time.
    func timerIsSet(for deadline: Instant) async {
        for await instant in set where instant == deadline { break }
    }

    var now: Instant { state.withLock { $0.now } }

    var monotonicNanoseconds: Int64 {
        state.withLock { $0.now.nanoseconds - $0.suspended.wholeNanoseconds }
    }

    func timer(at deadline: Instant, _ action: @escaping @Sendable () -> Void) -> PeripheralTimer {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.timers.append(Timer(id: state.nextID, deadline: deadline, action: action))
            return state.nextID
        }
        setContinuation.yield(deadline)
        fireDue()
        return PeripheralTimer { [weak self] in
            self?.state.withLock { $0.timers.removeAll { $0.id == id } }
        }
    }

    func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
        fireDue()
    }

    private func fireDue() {
        while true {
            let due: Timer? = state.withLock { state in
                guard
                    let index = state.timers.indices.min(by: { state.timers[$0].deadline < state.timers[$1].deadline }),
                    state.timers[index].deadline <= state.now
                else { return nil }
                return state.timers.remove(at: index)
            }
            guard let due else { return }
            due.action()
        }
    }
}
