import Vocabulary

/// What the journal holds and how far each output has come: the numbers of the file, in memory. A value; the writer changes a
/// copy, commits what changed, and takes the copy when the commit is durable.
struct JournalLedger: Hashable, Sendable {
    struct Output: Hashable, Sendable {
        var name: String
        var isRequired: Bool
        var isActive: Bool
        var cursor: UInt64
        var counts: [Settlement.Outcome: UInt64] = [:]
    }

    /// The journal's id.
    var id: String
    /// The sequence of the oldest scan; `last + 1` when there is none.
    var first: UInt64 = 1
    /// The sequence of the newest scan, even if it was dropped: a sequence is never given twice.
    var last: UInt64 = 0
    var outputs: [String: Output] = [:]
    /// Rows that can't be read; no output waits for them.
    var unreadable: Set<UInt64> = []

    var count: UInt64 { last + 1 - first }

    /// The required, active output that has come least far.
    var slowest: Output? {
        outputs.values.filter { $0.isRequired && $0.isActive }.min { ($0.cursor, $0.name) < ($1.cursor, $1.name) }
    }

    /// Scans up to here may be dropped.
    var floor: UInt64 { min(slowest?.cursor ?? last, last) }

    /// Scans that may not be dropped yet.
    var undelivered: UInt64 { last - max(floor, first - 1) }

    /// Names the outputs of this run. Returns what else was done, in words, and the names that were forgotten.
    mutating func register(_ wanted: [JournalOutput]) -> (notes: [String], forgotten: [String]) {
        var notes: [String] = []
        for name in outputs.keys { outputs[name]?.isActive = false }
        for output in wanted {
            var row = outputs[output.name] ?? Output(name: output.name, isRequired: true, isActive: true, cursor: last)
            row.isActive = true
            row.isRequired = output.isRequired
            if row.cursor + 1 < first {
                notes.append(
                    "output \(output.name) was away while scans \(row.cursor + 1) to \(first - 1) were dropped: it goes on "
                        + "with scan \(first)")
                row.cursor = first - 1
            }
            row.cursor = min(row.cursor, last)
            outputs[output.name] = row
        }
        let surplus = outputs.count - JournalLimits.rememberedOutputs
        guard surplus > 0 else { return (notes, []) }
        let away = outputs.values.filter { !$0.isActive }.sorted { ($0.cursor, $0.name) < ($1.cursor, $1.name) }
        let forgotten = away.prefix(surplus).map(\.name)
        for name in forgotten { outputs[name] = nil }
        notes.append("outputs that left long ago are forgotten: \(forgotten.joined(separator: ", "))")
        return (notes, forgotten)
    }

    /// Moves an output's cursor and counts its exceptions. A settlement, or part of one, that was made before does nothing. Returns the new
    /// exceptions.
    mutating func settle(_ settlement: Settlement) throws(JournalError) -> [Settlement.Exception] {
        guard var row = outputs[settlement.output] else {
            throw JournalError(
                .notFound, "the journal knows no output \"\(settlement.output)\": register it before it settles")
        }
        guard settlement.sequence <= last else {
            throw JournalError(
                .failed,
                "output \(settlement.output) settles scan \(settlement.sequence), but the newest is \(last)")
        }
        let fresh = settlement.exceptions.filter { $0.sequence > row.cursor && $0.sequence <= settlement.sequence }
        for exception in fresh { row.counts[exception.outcome, default: 0] += 1 }
        row.cursor = max(row.cursor, settlement.sequence)
        outputs[row.name] = row
        let skipped = passUnreadable(settlement.output)
        return fresh + skipped
    }

    /// Moves an output's cursor over rows that can't be read, because nobody can deliver them.
    private mutating func passUnreadable(_ name: String) -> [Settlement.Exception] {
        guard !unreadable.isEmpty, var row = outputs[name] else { return [] }
        var skipped: [Settlement.Exception] = []
        while unreadable.contains(row.cursor + 1) {
            row.cursor += 1
            row.counts[.undeliverable, default: 0] += 1
            skipped.append(
                Settlement.Exception(
                    sequence: row.cursor, outcome: .undeliverable, reason: "the journal's row can't be read"))
        }
        outputs[name] = row
        return skipped
    }

    /// A row can't be read. Returns what that settles, by output.
    mutating func markUnreadable(_ sequence: UInt64) -> [String: [Settlement.Exception]] {
        guard unreadable.count < JournalLimits.unreadableScans else { return [:] }
        unreadable.insert(sequence)
        var settled: [String: [Settlement.Exception]] = [:]
        for name in outputs.keys {
            let skipped = passUnreadable(name)
            if !skipped.isEmpty { settled[name] = skipped }
        }
        return settled
    }

    func outputReports() -> [JournalReport.Output] {
        outputs.values.sorted { $0.name < $1.name }.map { row in
            JournalReport.Output(
                name: row.name, isRequired: row.isRequired, isActive: row.isActive, cursor: row.cursor,
                lag: last - min(last, max(row.cursor, first - 1)), refused: row.counts[.refused] ?? 0,
                skipped: row.counts[.skipped] ?? 0, undeliverable: row.counts[.undeliverable] ?? 0)
        }
    }
}
