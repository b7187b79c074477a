import Journal
import Synchronization
import Vocabulary
import Wire

/// A journal in memory that fails, waits and forgets when the test says so.
package final class TestJournal: ScanJournal {
    private struct State {
        var id = "journal-1"
        var scans: [Event] = []
        var first: UInt64 = 1
        var cursors: [String: UInt64] = [:]
        var registered: [JournalOutput] = []
        var settlements: [Settlement] = []
        var isOpen = true
        var failures = 0
        var readings = 0
        var readingDelay = 0
        var gate: CheckedContinuation<Void, Never>?
        var isGated = false
    }

    package let states: AsyncStream<JournalState>
    /// Each settlement, as it is kept.
    package let settled: AsyncStream<Settlement>
    /// Each settlement that is refused or held back, as it is asked for.
    package let attempts: AsyncStream<Settlement>
    private let settledSink: AsyncStream<Settlement>.Continuation
    private let attemptSink: AsyncStream<Settlement>.Continuation
    private let state = Mutex(State())

    package init(scans: Int = 0, isOpen: Bool = true) {
        states = AsyncStream { $0.yield(.ready) }
        (settled, settledSink) = AsyncStream.makeStream()
        (attempts, attemptSink) = AsyncStream.makeStream()
        state.withLock { $0.isOpen = isOpen }
        for _ in 0..<scans { _ = keep() }
    }

    // MARK: For the test

    /// Keeps one more scan and returns it, with its sequence.
    package func keep(_ change: (inout Event) -> Void = { _ in }) -> Event {
        state.withLock { state in
            let sequence = state.first + UInt64(state.scans.count)
            var event = Fixtures.scan(sequence)
            change(&event)
            if case .scan(var body) = event.body {
                body.journal = state.id
                body.scan.sequence = sequence
                body.scan.id = Fixtures.id(sequence)
                event.body = .scan(body)
            }
            state.scans.append(event)
            return event
        }
    }

    package func setOpen(_ isOpen: Bool) { state.withLock { $0.isOpen = isOpen } }

    /// The next `count` settlements fail.
    package func failSettling(_ count: Int) { state.withLock { $0.failures = count } }

    /// The next settlement waits until `release`.
    package func holdSettling() { state.withLock { $0.isGated = true } }

    package func release() {
        let gate = state.withLock { state in
            state.isGated = false
            defer { state.gate = nil }
            return state.gate
        }
        gate?.resume()
    }

    /// What was read is handed over only after this many yields: it may be old by then.
    package func delayReading(_ yields: Int) { state.withLock { $0.readingDelay = yields } }

    /// Drops the oldest scans, as the limits of a journal do.
    package func drop(_ count: Int) {
        state.withLock { state in
            state.scans.removeFirst(count)
            state.first += UInt64(count)
        }
    }

    package func setCursor(_ cursor: UInt64, of output: String) { state.withLock { $0.cursors[output] = cursor } }
    package func cursor(of output: String) -> UInt64? { state.withLock { $0.cursors[output] } }
    package var settlements: [Settlement] { state.withLock { $0.settlements } }
    package var registered: [JournalOutput] { state.withLock { $0.registered } }
    package var readings: Int { state.withLock { $0.readings } }

    // MARK: ScanJournal

    package func open() async {}
    package func close() async {}

    package func append(_ scans: [Event]) async throws(JournalError) -> [Event] {
        scans.map { scan in keep { $0 = scan } }
    }

    package func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event] {
        try check()
        let (scans, delay) = state.withLock { state in
            state.readings += 1
            let skipped = sequence < state.first ? 0 : Int(sequence - state.first + 1)
            return (Array(state.scans.dropFirst(skipped).prefix(limit)), state.readingDelay)
        }
        for _ in 0..<delay { await Task.yield() }
        return scans
    }

    package func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64] {
        try check()
        return state.withLock { state in
            state.registered = outputs
            let last = state.first + UInt64(state.scans.count) - 1
            for output in outputs where state.cursors[output.name] == nil { state.cursors[output.name] = last }
            return state.cursors
        }
    }

    package func settle(_ settlement: Settlement) async throws(JournalError) {
        try check()
        if state.withLock({ $0.isGated }) {
            await withCheckedContinuation { gate in
                state.withLock { $0.gate = gate }
                attemptSink.yield(settlement)
            }
        }
        let fails = state.withLock { state in
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures > 0
        }
        if fails {
            attemptSink.yield(settlement)
            throw JournalError(.failed, "the disk says no")
        }
        state.withLock { state in
            state.cursors[settlement.output] = settlement.sequence
            state.settlements.append(settlement)
        }
        settledSink.yield(settlement)
    }

    // Neither outputs nor a control server ask for these.
    package func scan(id: String) async throws(JournalError) -> Event? { nil }
    package func receipts(of sequences: [UInt64]) async throws(JournalError) -> [UInt64: [JournalFile.Receipt]] { [:] }
    package func record(_ answer: RecordedAnswer) async throws(JournalError) {}
    package func answers(to sequences: [UInt64]) async throws(JournalError) -> [UInt64: RecordedAnswer] { [:] }
    package func remember(_ text: String, as note: JournalNote) async throws(JournalError) {}
    package func note(_ note: JournalNote) async throws(JournalError) -> String? { nil }

    package func report() async -> JournalReport {
        state.withLock { state in
            JournalReport(
                id: state.isOpen ? state.id : "", state: state.isOpen ? .ready : .unavailable(detail: "no folder"),
                first: state.first, last: state.first + UInt64(state.scans.count) - 1, scans: UInt64(state.scans.count))
        }
    }

    private func check() throws(JournalError) {
        if !state.withLock({ $0.isOpen }) { throw JournalError(.unavailable, "the folder is read-only") }
    }
}
