import Journal
import Vocabulary
import Wire

/// The mutation `beepBeforeCommit`: answers an append at once and commits some time later. It looks right in every other way, so only a
/// kill reveals it.
actor EagerJournal: ForwardingJournal {
    /// Longer than a quick disk takes, shorter than anybody would notice.
    private static let delay: Duration = .milliseconds(50)

    nonisolated let inner: any ScanJournal
    private var pending: [Event] = []
    private var committed: UInt64 = 0
    private var flush: Task<Void, Never>?

    init(_ inner: any ScanJournal) { self.inner = inner }

    func append(_ scans: [Event]) async throws(JournalError) -> [Event] {
        let report = await inner.report()
        committed = max(committed, report.last)
        var last = pending.last?.scanBody?.scan.sequence ?? committed
        var kept: [Event] = []
        for event in scans {
            guard case .scan(var scan) = event.body else { continue }
            last += 1
            scan.scan.sequence = last
            scan.journal = report.id
            kept.append(Event(stamp: event.stamp, body: .scan(scan)))
        }
        pending += kept
        if flush == nil {
            flush = Task {
                try? await Task.sleep(for: Self.delay)
                await self.commit()
            }
        }
        return kept
    }

    private func commit() async {
        let batch = pending
        if let kept = try? await inner.append(batch) {
            committed = kept.last?.scanBody?.scan.sequence ?? committed
        }
        pending.removeFirst(batch.count)
        flush = nil
        guard !pending.isEmpty else { return }
        flush = Task { await self.commit() }
    }

    func scans(after sequence: UInt64, limit: Int) async throws(JournalError) -> [Event] {
        let waiting = pending
        let kept = try await inner.scans(after: sequence, limit: limit)
        let last = kept.last?.scanBody?.scan.sequence ?? sequence
        let ahead = waiting.filter { ($0.scanBody?.scan.sequence ?? 0) > last }
        guard let first = ahead.first?.scanBody?.scan.sequence, first == last + 1 else { return kept }
        return Array((kept + ahead).prefix(limit))
    }

    func settle(_ settlement: Settlement) async throws(JournalError) {
        while settlement.sequence > committed, let flush { await flush.value }
        try await inner.settle(settlement)
    }

    func close() async {
        await flush?.value
        await inner.close()
    }
}

extension Event {
    /// The scan it tells of, if it does.
    var scanBody: ScanEvent? { if case .scan(let scan) = body { scan } else { nil } }
}
