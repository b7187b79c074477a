import Synchronization

/// At most a number of things at once; more are refused, not queued.
final class Slots: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    init(_ most: Int) { self.most = most }

    func take() -> Bool {
        taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
    }

    func give() { taken.withLock { $0 -= 1 } }
}
