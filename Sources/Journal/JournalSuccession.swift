import Wire

/// What a journal that was open in this run leaves to the one that is found or made at the next opening: its numbers, its outputs' places
/// and its newest scans. A value: no I/O.
///
/// Sequences go on, so that outputs don't have to start over.
struct JournalSuccession: Sendable {
    enum Relation: Hashable, Sendable {
        /// The journal itself, with everything that was kept in it.
        case itself
        /// The journal itself without its newest commits, or the heir, made before and not filled yet.
        case lacking
        /// Not ours: it must not pass for the journal.
        case stranger
    }

    /// The ledger of the previous journal.
    let ledger: JournalLedger
    /// Its newest scans, oldest first.
    let tail: [Event]
    /// The id of the journal that takes its place if a new one must be made.
    let heir: String
    /// Whether the scans before `tail` can still be read from its file, although the file has lost its name.
    let isReadable: Bool

    func relation(to found: JournalLedger) -> Relation {
        guard found.id == ledger.id else { return found.id == heir ? .lacking : .stranger }
        let lacksReceipts = ledger.outputs.contains { (found.outputs[$0.key]?.cursor ?? 0) < $0.value.cursor }
        return found.last < ledger.last || lacksReceipts ? .lacking : .itself
    }

    /// The sequence of the oldest scan in memory.
    var tailStart: UInt64 { tail.first?.scanSequence ?? ledger.last + 1 }

    /// The oldest scan that the heir gets: what is in memory, and what an output of this run still waits for if it can be read.
    var start: UInt64 {
        guard isReadable else { return tailStart }
        let needed = ledger.outputs.values.filter(\.isActive).map { $0.cursor + 1 }.min() ?? tailStart
        return max(ledger.first, min(needed, tailStart))
    }

    /// How many scans that a required output hasn't answered for are in neither the file that was found nor in `carried`.
    func lost(found: JournalLedger, carried: [UInt64]) -> UInt64 {
        let needed = max(ledger.floor + 1, ledger.first)
        guard needed <= ledger.last else { return 0 }
        // The heir's own content counts from its first scan on.
        let kept = found.last >= max(needed, found.first) ? found.last - max(needed, found.first) + 1 : 0
        let added = UInt64(carried.count { $0 >= needed && $0 > found.last })
        let count = ledger.last - needed + 1
        return count - min(count, kept + added)
    }
}
