import Testing
import Vocabulary

@testable import Linux

@Suite("The machine's clocks", .timeLimit(.minutes(10)))
struct ClockTests {
    @Test("The system's go on, and know this boot")
    func system() {
        let clock = MachineClock.system
        let before = clock.now
        #expect(before <= clock.now && before <= Instant.now)
        // 2020: a machine that runs this has had its clock set.
        #expect(clock.wallNanoseconds > 1_577_836_800_000_000_000)
        #expect(clock.boot == MachineClock.bootID ?? "unknown")
    }

    @Test("A made-up one says what it was told")
    func madeUp() {
        let clock = MachineClock(
            now: { Instant(nanoseconds: 5) }, wallNanoseconds: { 7 }, isSynced: { false }, boot: "b")
        #expect(clock.now == Instant(nanoseconds: 5))
        #expect(clock.wallNanoseconds == 7)
        #expect(!clock.isSynced)
        #expect(clock.boot == "b")
    }

    @Test("A wait ends at its instant, at once when that has passed")
    func wait() async throws {
        try await Task.wait(until: .zero)
        let end = Instant.now.advanced(by: .milliseconds(20))
        try await Task.wait(until: end)
        #expect(Instant.now >= end)
    }

    @Test("A cancelled wait throws, even for an instant that has passed", arguments: [Int64.zero, .max])
    func cancelled(nanoseconds: Int64) async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            do { try await Task.wait(until: Instant(nanoseconds: nanoseconds)) } catch { return true }
            return false
        }
        #expect(await task.value)
    }

    @Test("What is due is done, and what is cancelled isn't")
    func action() async {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let late = Task.at(Instant.now.advanced(by: .seconds(3600))) { continuation.yield("late") }
        let due = Task.at(.zero) { continuation.yield("due") }
        await due.value
        late.cancel()
        await late.value
        continuation.finish()
        var done: [String] = []
        for await word in stream { done.append(word) }
        #expect(done == ["due"])
    }
}
