import Synchronization

/// What the writer publishes and others read without waiting for it: the newest scans, the numbers, the state.
final class JournalShared: Sendable {
    struct Content: Sendable {
        var state: JournalState = .closed
        var ledger = JournalLedger(id: "")
        var tail = JournalTail()
        /// How often the file was opened.
        var openings: UInt64 = 0
        /// The opening whose file can serve older scans now.
        var opening: UInt64?
        var bytes: UInt64 = 0
        var warning: String?
        var setAside: String?
    }

    private let content = Mutex(Content())
    private let continuation: AsyncStream<JournalState>.Continuation
    let states: AsyncStream<JournalState>

    init() {
        // A reader that is slower than 64 changes wants the newest ones.
        (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        continuation.yield(.closed)
    }

    func read<Value: Sendable>(_ body: (Content) -> Value) -> Value { content.withLock { body($0) } }

    func change(_ body: (inout Content) -> Void) {
        content.withLock { content in
            let before = content.state
            body(&content)
            // Within the lock, so that states arrive in order; `yield` only hands the value over.
            if content.state != before { continuation.yield(content.state) }
        }
    }

    func finish() { continuation.finish() }

    func report(path: String?) -> JournalReport {
        read { content in
            let ledger = content.ledger
            return JournalReport(
                id: ledger.id, path: path, state: content.state, first: ledger.last == 0 ? 0 : ledger.first,
                last: ledger.last, scans: ledger.count, bytes: content.bytes, warning: content.warning,
                setAside: content.setAside, outputs: ledger.outputReports())
        }
    }
}
