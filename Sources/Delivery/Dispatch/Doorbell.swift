import Linux
import Synchronization
import Vocabulary

/// Lets one task wait for a time or for a ring, whichever is first. A ring that nobody waits for is kept for the next wait.
final class Doorbell: Sendable {
    struct Reasons: OptionSet, Sendable {
        let rawValue: UInt8

        /// There is something to deliver.
        static let arrival = Reasons(rawValue: 1)
        /// What failed may succeed now.
        static let conditions = Reasons(rawValue: 2)
    }

    private struct State {
        var rung: Reasons = []
        var awaited: Reasons = []
        /// Counts the waits, so that a timer that is late can't end the next one.
        var wait = 0
        var expiredWait = 0
        var waiter: CheckedContinuation<Void, Never>?

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }

        mutating func take(_ reasons: Reasons) -> Reasons {
            defer { rung.subtract(reasons) }
            return rung.intersection(reasons)
        }
    }

    private let state = Mutex(State())

    func ring(_ reasons: Reasons) {
        let waiter = state.withLock { state in
            state.rung.formUnion(reasons)
            return state.awaited.isDisjoint(with: reasons) ? nil : state.takeWaiter()
        }
        waiter?.resume()
    }

    /// Returns the rings so far and forgets them.
    func take(_ reasons: Reasons) -> Reasons { state.withLock { $0.take(reasons) } }

    /// Returns the rings that ended the wait; none: the time came. `nil`: waits only for a ring.
    func wait(until instant: Instant?, for reasons: Reasons) async -> Reasons {
        let wait = state.withLock { state in
            state.wait += 1
            state.awaited = reasons
            return state.wait
        }
        let timer = instant.map { Task.at($0) { self.expire(wait) } }
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                if !state.rung.isDisjoint(with: reasons) || state.expiredWait == wait { return true }
                state.waiter = waiter
                return false
            }
            if isOver { waiter.resume() }
        }
        timer?.cancel()
        return state.withLock { state in
            state.awaited = []
            return state.take(reasons)
        }
    }

    private func expire(_ wait: Int) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.wait == wait else { return nil }
            state.expiredWait = wait
            return state.takeWaiter()
        }
        waiter?.resume()
    }
}
