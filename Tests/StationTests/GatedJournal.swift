import Journal
import Synchronization
import TestSupport
import Wire

/// A journal in memory whose commits the test holds back or lets fail.
final class GatedJournal: ScanJournal {
    private struct State {
        var isHeld = false
        var error: JournalError?
        var setAside: String?
        var warning: String?
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let inner: MemoryJournal
    private let state = Mutex(State())
    /// Commits that wait.
    private let held = Observed(0)
    private let sink: AsyncStream<JournalState>.Continuation
    let states: AsyncStream<JournalState>

    init() {
        inner = MemoryJournal(settings: .init())
        (states, sink) = AsyncStream.makeStream()
        sink.yield(.closed)
    }

    /// Commits wait from now on.
    func hold() { state.withLock { $0.isHeld = true } }

    /// They go on.
    func release() {
        let waiters = state.withLock { state in
            state.isHeld = false
            defer { state.waiters = [] }
            return state.waiters
        }
        held.change { $0 -= waiters.count }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once a commit waits.
    func untilHeld() async { await held.wait { $0 > 0 } }

    /// Commits fail from now on, and the state says why; `nil`: they succeed again.
    func fail(_ error: JournalError?) {
        state.withLock { $0.error = error }
        sink.yield(error.map { .full(detail: $0.message) } ?? .ready)
    }

    func tell(_ state: JournalState) { sink.yield(state) }

    /// What it says of its file once it is open.
    func found(setAside: String? = nil, warning: String? = nil) {
        state.withLock { ($0.setAside, $0.warning) = (setAside, warning) }
    }

    func open() async {
        await inner.open()
        sink.yield(.ready)
    }

    func append(_ scans: [Event]) async throws(JournalError) -> [Event] {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                if state.isHeld { state.waiters.append(continuation) }
                return state.isHeld
            }
            if mustWait { held.change { $0 += 1 } } else { continuation.resume() }
        }
        if let error = state.withLock({ $0.error }) { throw error }
        return try await inner.append(scans)
    }

    func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event] {
        try await inner.scans(after: sequence, limit: limit)
    }

    func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64] {
        try await inner.register(outputs)
    }

    func settle(_ settlement: Settlement) async throws(JournalError) { try await inner.settle(settlement) }

    func scan(id: String) async throws(JournalError) -> Event? { try await inner.scan(id: id) }

    func receipts(of sequences: [UInt64]) async throws(JournalError) -> [UInt64: [JournalFile.Receipt]] {
        try await inner.receipts(of: sequences)
    }

    func record(_ answer: RecordedAnswer) async throws(JournalError) { try await inner.record(answer) }

    func answers(to sequences: [UInt64]) async throws(JournalError) -> [UInt64: RecordedAnswer] {
        try await inner.answers(to: sequences)
    }

    func remember(_ text: String, as note: JournalNote) async throws(JournalError) {
        try await inner.remember(text, as: note)
    }

    func note(_ note: JournalNote) async throws(JournalError) -> String? { try await inner.note(note) }

    func report() async -> JournalReport {
        var report = await inner.report()
        state.withLock { (report.setAside, report.warning) = ($0.setAside, $0.warning) }
        return report
    }

    func close() async { await inner.close() }
}
