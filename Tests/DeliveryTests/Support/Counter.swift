import Synchronization

/// A number that closures of a test share.
final class Counter: Sendable {
    private let number: Mutex<Int>

    init(_ start: Int = 0) { number = Mutex(start) }

    var value: Int { number.withLock { $0 } }

    func count(_ step: Int = 1) { number.withLock { $0 += step } }
}
