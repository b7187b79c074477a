import Linux
import Settings
import Synchronization
import Vocabulary
import Wire

/// The journal for a desk: the newest `maxScans` scans in memory, gone when the process ends. Beyond the bound the oldest is dropped,
/// delivered or not; undelivered ones are counted and reported.
package final class MemoryJournal: ScanJournal {
    fileprivate struct Content {
        var ledger: JournalLedger
        var tail: JournalTail
        var isOpen = false
        /// What the host said about scans that are still here, by their sequences.
        var answers: [UInt64: RecordedAnswer] = [:]
        /// Dropped before a required output had answered for them.
        var lost: UInt64 = 0
    }

    private let content: Mutex<Content>
    private let log: JournalLog
    private let continuation: AsyncStream<JournalState>.Continuation
    package let states: AsyncStream<JournalState>

    package init(settings: JournalSettings, log: @escaping JournalLog = { _, _ in }) {
        self.log = log
        let id = UUIDv7(
            wallNanoseconds: MachineClock.system.wallNanoseconds, random: .random(in: .min ... .max)
        ).description
        content = Mutex(
            Content(ledger: JournalLedger(id: id), tail: JournalTail(capacity: max(1, settings.maxScans))))
        (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        continuation.yield(.closed)
    }

    package func open() async { set(isOpen: true) }

    package func close() async { set(isOpen: false) }

    private func set(isOpen: Bool) {
        content.withLock { content in
            guard content.isOpen != isOpen else { return }
            content.isOpen = isOpen
            continuation.yield(isOpen ? .ready : .closed)
        }
    }

    private func whenOpen<Value: Sendable>(
        _ body: (inout Content) throws(JournalError) -> Value
    ) throws(JournalError) -> Value {
        try content.withLock { content throws(JournalError) in
            guard content.isOpen else { throw JournalError(.unavailable, "the journal isn't open") }
            return try body(&content)
        }
    }

    package func append(_ scans: [Event]) async throws(JournalError) -> [Event] {
        let lines = try ScanLine.lines(scans)
        let (kept, isFirstLoss) = try whenOpen { content throws(JournalError) in
            let lostBefore = content.lost
            let kept = lines.map { content.keep($0) }
            return (kept, lostBefore == 0 && content.lost > 0)
        }
        if isFirstLoss {
            log(
                .warning,
                "the journal in memory is full: scans are dropped undelivered; raise journal.maxScans, or use a disk")
        }
        return kept
    }

    package func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event] {
        try whenOpen { content throws(JournalError) in
            let limit = min(limit, JournalLimits.maxPage)
            guard limit > 0 else { return [] }
            return content.tail.scans(after: max(sequence, content.ledger.first - 1), limit: limit) ?? []
        }
    }

    package func register(_ outputs: [JournalOutput]) async throws(JournalError) -> [String: UInt64] {
        try whenOpen { content throws(JournalError) in
            _ = content.ledger.register(outputs)
            let cursors = outputs.map { ($0.name, content.ledger.outputs[$0.name]?.cursor ?? 0) }
            return Dictionary(cursors) { first, _ in first }
        }
    }

    package func settle(_ settlement: Settlement) async throws(JournalError) {
        try whenOpen { content throws(JournalError) in _ = try content.ledger.settle(settlement) }
    }

    package func record(_ answer: RecordedAnswer) async throws(JournalError) {
        try whenOpen { content throws(JournalError) in
            let sequence = answer.answer.sequence
            guard content.ledger.first <= sequence, sequence <= content.ledger.last else { return }
            content.answers[sequence] = answer
        }
    }

    package func answers(to sequences: [UInt64]) async throws(JournalError) -> [UInt64: RecordedAnswer] {
        try whenOpen { content throws(JournalError) in
            content.answers.filter { sequences.contains($0.key) }
        }
    }

    package func scan(id: String) async throws(JournalError) -> Event? {
        var position: UInt64 = 0
        while true {
            let page = try await scans(after: position, limit: JournalLimits.maxPage)
            if let event = page.first(where: { $0.scanID == id }) { return event }
            guard let last = page.last?.scanSequence, last > position else { return nil }
            position = last
        }
    }

    /// From the cursors alone: what an output refused counts as settled.
    package func receipts(of sequences: [UInt64]) async throws(JournalError) -> [UInt64: [JournalFile.Receipt]] {
        let outputs = await report().outputs.filter(\.isActive)
        return Dictionary(
            sequences.map { sequence in
                (
                    sequence,
                    outputs.map { output in
                        JournalFile.Receipt(
                            output: output.name, outcome: sequence <= output.cursor ? .accepted : .pending)
                    }
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    // This journal ends with the run, and nobody asks what was remembered.
    package func remember(_ text: String, as note: JournalNote) async throws(JournalError) {}
    package func note(_ note: JournalNote) async throws(JournalError) -> String? { nil }

    package func report() async -> JournalReport {
        content.withLock { content in
            let ledger = content.ledger
            let loss = content.lost == 0 ? "" : "; \(content.lost) were dropped undelivered"
            return JournalReport(
                id: ledger.id, state: content.isOpen ? .ready : .closed, first: ledger.last == 0 ? 0 : ledger.first,
                last: ledger.last, scans: ledger.count,
                warning: "the journal is in memory (journal.storage): scans are gone when the process ends" + loss,
                outputs: ledger.outputReports())
        }
    }
}

extension MemoryJournal.Content {
    fileprivate mutating func keep(_ line: ScanLine) -> Event {
        let floor = ledger.floor
        ledger.last += 1
        let event = line.placed(journal: ledger.id, sequence: ledger.last)
        tail.append(event)
        if tail.first > ledger.first {
            if ledger.first > floor { lost += 1 }
            for sequence in ledger.first..<tail.first { answers[sequence] = nil }
            ledger.first = tail.first
            // Nobody waits for what is gone.
            let gone = ledger.first - 1
            for (name, row) in ledger.outputs where row.cursor < gone { ledger.outputs[name]?.cursor = gone }
        }
        return event
    }
}
