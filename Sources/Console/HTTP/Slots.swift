import Synchronization

/// At most a number of things at once; more are refused, not queued.
final class Slots: Sendable {
    /// One of them. It is given back when nobody holds it any more: a response whose client is gone before it begins never runs.
    final class Slot: Sendable {
        private let slots: Slots

        fileprivate init(_ slots: Slots) { self.slots = slots }

        deinit { slots.taken.withLock { $0 -= 1 } }
    }

    private let most: Int
    private let taken = Mutex(0)

    init(_ most: Int) { self.most = most }

    func take() -> Slot? {
        let isTaken = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        return isTaken ? Slot(self) : nil
    }
}
