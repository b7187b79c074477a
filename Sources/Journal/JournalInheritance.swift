import Wire

/// Copies into a journal's successor what it lacks, and keeps count.
struct JournalInheritance {
    /// The ledger of the file, with what was written.
    private(set) var ledger: JournalLedger
    /// The part of the file that is in memory.
    private(set) var tail: JournalTail
    /// Sequences of the scans that were written.
    private(set) var carried: [UInt64] = []

    private let succession: JournalSuccession
    private let file: JournalStore.Opened
    private let room: JournalRoom
    private let options: JournalOptions

    init(of succession: JournalSuccession, in file: JournalStore.Opened, room: JournalRoom, options: JournalOptions) {
        self.succession = succession
        self.file = file
        self.room = room
        self.options = options
        ledger = file.ledger
        tail = JournalTail(last: file.ledger.last)
    }

    /// Scans that a required output waits for and that are lost.
    var lost: UInt64 { succession.lost(found: file.ledger, carried: carried) }

    /// `predecessor`: the file that has lost its name, for what is no longer in memory.
    mutating func carryOver(from predecessor: JournalStore?, events: ScanEventReader) throws {
        var position = max(ledger.last, succession.start - 1)
        while let predecessor, position + 1 < succession.tailStart {
            // A disk that was pulled out can't be read either; then what is in memory must do.
            let rows = try? predecessor.withoutLook {
                try JournalRow.fetch(
                    $0, after: position, upTo: succession.tailStart - 1, limit: JournalLimits.maxPage)
            }
            guard let rows, let end = rows.last else { break }
            try write(rows.compactMap { try? $0.event(events) })
            position = end.sequence
        }
        try write(succession.tail.filter { ($0.scanSequence ?? 0) > ledger.last }, last: succession.ledger.last)
    }

    private mutating func write(_ scans: [Event], last: UInt64? = nil) throws {
        var plan = JournalPlan(ledger, room: room, liveBytes: 0, wall: options.clock.wallNanoseconds)
        plan.adopt(scans, outputs: succession.ledger.outputs, last: last)
        guard !plan.batch.isEmpty else { return }
        try file.store.commit(plan.batch) { try options.beforeCommit() }
        ledger = plan.ledger
        for event in plan.kept {
            guard let sequence = event.scanSequence else { continue }
            if sequence > tail.last + 1 { tail.reset(last: sequence - 1) }
            tail.append(event)
            carried.append(sequence)
        }
        if tail.last < ledger.last { tail.reset(last: ledger.last) }
    }
}
