import Station
import TestSupport
import Testing
import Vocabulary

@Suite struct FocusRetryTests {
    /// A frame's result.
    private func result(
        _ outcome: ReadResult.Outcome = .decoded, focus: FocusState? = nil, symbols: [Symbol] = []
    ) -> ReadResult {
        let info = FrameInfo(sequence: 0, exposedAt: .zero, deliveredAt: .zero, focusState: focus)
        return ReadResult(frame: info, outcome: outcome, symbols: symbols)
    }

    /// The numbers, from 1, of the frames after which it focuses.
    private func attempts(
        _ results: [ReadResult], inSession: Bool, retry: inout FocusRetry
    ) -> [Int] {
        var found: [Int] = []
        for (index, result) in results.enumerated()
        where retry.handle(result, inSession: inSession, after: 3) { found.append(index + 1) }
        return found
    }

    @Test func `focuses after some unread frames, and each time waits twice as long`() {
        var retry = FocusRetry()
        let results = Array(repeating: result(), count: 30)
        #expect(attempts(results, inSession: false, retry: &retry) == [3, 9, 21])
    }

    @Test func `a read starts over`() {
        var retry = FocusRetry()
        let unread = Array(repeating: result(), count: 4)
        let results = unread + [result(symbols: [symbol("A")])] + unread
        #expect(attempts(results, inSession: false, retry: &retry) == [3, 8])
    }

    @Test(arguments: [ReadResult.Outcome.blank, .unchanged])
    func `frames without anything new count in a session only`(outcome: ReadResult.Outcome) {
        var retry = FocusRetry()
        let results = Array(repeating: result(outcome), count: 5)
        #expect(attempts(results, inSession: false, retry: &retry) == [])
        #expect(attempts(results, inSession: true, retry: &retry) == [3])
    }

    @Test func `a lens on its way is given time`() {
        var retry = FocusRetry()
        let results = Array(repeating: result(focus: .scanning), count: 30)
        #expect(attempts(results, inSession: true, retry: &retry) == [])
    }
}
