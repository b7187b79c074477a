import ControlSupport
import Journal
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Delivery

/// Scans, other events, failures of outputs and journal, and restarts in random order.
@Suite("Delivery, whatever happens", .timeLimit(.minutes(10)))
struct DeliveryPropertyTests {
    private let quick = RetryMachine.Policy(initial: .microseconds(100), maximum: .milliseconds(1))

    @Test(
        "Each output gets every scan at least once, in order, none invented", arguments: 1...12 as ClosedRange<UInt64>)
    func everything(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let journal = TestJournal()
        let names = ["a", "b", "c"]
        for name in names { journal.setCursor(0, of: name) }
        let histories = names.map { _ in DeliveryHistory() }

        for run in 1...4 {
            let isLast = run == 4
            let outputs = zip(names, histories).map { name, history in
                CapriciousOutput(
                    name, batchLimit: Int.random(in: 1...8, using: &random), seed: random.next(), history: history,
                    isReliable: isLast)
            }
            let dispatcher = Dispatcher(
                outputs: outputs.map { ($0, DeliveryPolicy()) }, journal: journal, retry: quick)
            for history in histories { history.restart() }
            await dispatcher.start()
            await dispatcher.untilRegistered()
            await turns { await dispatcher.reports().allSatisfy { $0.cursor != nil } }
            for _ in 0..<Int.random(in: 20...120, using: &random) {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4: dispatcher.scan(journal)
                case 4..<6:
                    let last = await journal.report().last
                    dispatcher.submit(Fixtures.state("\(last)"))
                case 6 where !isLast: journal.failSettling(Int.random(in: 1...4, using: &random))
                case 7: dispatcher.conditionsChanged()
                default: await Task.yield()
                }
            }
            if isLast {
                journal.failSettling(0)
                let last = await journal.report().last
                await turns { names.allSatisfy { journal.cursor(of: $0) == last } }
            }
            await dispatcher.stop(
                within: isLast ? .seconds(30) : .microseconds(Int.random(in: 0...500, using: &random)))
        }

        let last = await journal.report().last
        for history in histories {
            #expect(history.problems.isEmpty, "\(history.problems)")
            #expect(history.firstArrivals == Array(1...last))
        }
    }
}

/// What arrived at one output, over several runs of the station.
private final class DeliveryHistory: Sendable {
    private struct State {
        var arrivals: [UInt64] = []
        /// The newest scan of this run; `nil`: none yet.
        var last: UInt64?
        var problems: [String] = []
    }

    private let state = Mutex(State())

    var problems: [String] { state.withLock { $0.problems } }

    /// Each scan where it arrived first.
    var firstArrivals: [UInt64] {
        var seen: Set<UInt64> = []
        return state.withLock { $0.arrivals.filter { seen.insert($0).inserted } }
    }

    func restart() { state.withLock { $0.last = nil } }

    func add(_ event: Event) {
        state.withLock { state in
            if let sequence = event.sequence {
                if let last = state.last, sequence != last + 1 { state.problems.append("\(sequence) after \(last)") }
                state.last = sequence
                state.arrivals.append(sequence)
            } else if let last = state.last, event.stateName != "\(last)" {
                state.problems.append("state of \(event.stateName ?? "?") after \(last)")
            }
        }
    }
}

/// Accepts, refuses, fails and gives up as it likes.
private final class CapriciousOutput: Output {
    let name: String
    let batchLimit: Int
    let states = AsyncStream<OutputStatus> { $0.finish() }
    private let random: Mutex<SeededGenerator>
    private let history: DeliveryHistory
    private let isReliable: Bool

    init(_ name: String, batchLimit: Int, seed: UInt64, history: DeliveryHistory, isReliable: Bool) {
        self.name = name
        self.batchLimit = batchLimit
        self.history = history
        self.isReliable = isReliable
        random = Mutex(SeededGenerator(seed: seed))
    }

    func start() async {}
    func stop() async {}

    func deliver(_ event: Event) async -> Receipt {
        let chance = random.withLock { Int.random(in: 0..<10, using: &$0) }
        if chance < 3 { await Task.yield() }
        if !isReliable, chance == 9 { return .failed(reason: "not now", retry: true) }
        history.add(event)
        return switch chance {
        case 4: .refused(reason: "no")
        case 5: .failed(reason: "never", retry: false)
        default: .accepted
        }
    }

    func report() async -> OutputReport { OutputReport(name: name, kind: "fake", status: OutputStatus(.ready)) }
}
