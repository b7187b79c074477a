import Linux
import Synchronization
import Vocabulary

@testable import Journal

/// Clocks and timers that only move when a test says so.
final class FakeTime: Sendable {
    private struct Content {
        var now = Instant.zero
        var wall: Int64 = 1_795_241_680_000_000_000
        var isSynced = true
        var timers: [(due: Instant, action: @Sendable () -> Void)] = []
    }

    private let content = Mutex(Content())

    var clock: MachineClock {
        MachineClock(
            now: { self.content.withLock(\.now) }, wallNanoseconds: { self.wall }, isSynced: { self.isSynced },
            boot: "b")
    }

    func later(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
        content.withLock { $0.timers.append(($0.now.advanced(by: delay), action)) }
    }

    var isSynced: Bool {
        get { content.withLock(\.isSynced) }
        set { content.withLock { $0.isSynced = newValue } }
    }

    var wall: Int64 { content.withLock(\.wall) }

    /// Lets time pass without a timer going off: work that takes long.
    func pass(_ duration: Duration) {
        content.withLock {
            $0.now = $0.now.advanced(by: duration)
            $0.wall += duration.wholeNanoseconds
        }
    }

    /// Lets time pass, then calls what is due.
    func advance(by duration: Duration) {
        pass(duration)
        let due = content.withLock { content in
            let due = content.timers.filter { $0.due <= content.now }
            content.timers.removeAll { $0.due <= content.now }
            return due
        }
        for timer in due { timer.action() }
    }
}
