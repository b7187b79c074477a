import Testing
import Vocabulary

@Suite struct BackoffTests {
    @Test func `never waits for less than a millisecond and never longer than the longest`() {
        var backoff = Backoff(first: .zero, longest: .zero)
        #expect(backoff.next() == .milliseconds(1))
        #expect(backoff.next() == .milliseconds(1))
        backoff = Backoff(first: .seconds(1), longest: .seconds(3))
        #expect([backoff.next(), backoff.next(), backoff.next()] == [.seconds(1), .seconds(2), .seconds(3)])
        backoff.reset()
        #expect(backoff.next() == .seconds(1))
    }

    @Test func `stays at the longest wait without end`() {
        var backoff = Backoff(first: .nanoseconds(1_000_000), longest: .seconds(15))
        for _ in 0..<200 { _ = backoff.next() }
        #expect(backoff.next() == .seconds(15))
    }
}
