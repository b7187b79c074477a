import GRDB

/// What changes the file. This is done only while no station has it open; the lock beside it tells.
extension JournalFile {
    /// Makes the file as small as what is in it. Returns its size before and after, in bytes. Needs as much free room on the
    /// disk as the file has.
    package func compact() throws(JournalError) -> (before: UInt64, after: UInt64) {
        try changing("compact") { store in
            try store.checkpointAndTruncate()
            let before = JournalPlace.size(of: place.database) ?? 0
            try store.inDatabase { try $0.execute(sql: "VACUUM") }
            try store.checkpointAndTruncate()
            return (before, JournalPlace.size(of: place.database) ?? 0)
        }
    }

    /// Sets an output back, so that the station delivers the scans after `sequence` to it once more when it starts. Returns how many these
    /// are. Receivers recognise repeats by their ids.
    package func replay(output: String, after sequence: UInt64) throws(JournalError) -> UInt64 {
        try changing("replay") { store in
            let ledger = try store.ledger()
            guard var row = ledger.outputs[output] else {
                let known = ledger.outputs.keys.sorted().joined(separator: ", ")
                throw JournalError(
                    .notFound, "\(path) knows no output \"\(output)\"; it knows: \(known.isEmpty ? "none" : known)")
            }
            guard sequence <= ledger.last else {
                throw JournalError(.notFound, "the newest scan of \(path) is \(ledger.last)")
            }
            guard sequence + 1 >= ledger.first else {
                throw JournalError(
                    .notFound, "the oldest scan of \(path) is \(ledger.first): use \(ledger.first - 1) or later")
            }
            guard sequence <= row.cursor else {
                throw JournalError(
                    .notFound,
                    "output \"\(output)\" has answered for the scans up to \(row.cursor) only: going on after \(sequence) would "
                        + "leave some out; use \(row.cursor) or earlier")
            }
            row.cursor = sequence
            var batch = JournalBatch()
            batch.outputs = [row]
            try store.commit(batch)
            return ledger.last - sequence
        }
    }

    private func changing<Value>(
        _ what: String, _ body: (JournalStore) throws -> Value
    ) throws(JournalError) -> Value {
        _ = try report()
        return try failing {
            let lock: JournalLock
            do {
                lock = try JournalLock(place)
            } catch let error as JournalError where error.code == .inUse {
                throw JournalError(.inUse, "can't \(what) the journal while a station has it open: \(error.message)")
            }
            defer { withExtendedLifetime(lock) {} }
            let opened = try JournalStore.open(
                place, birth: JournalStore.Birth(id: "", wallNanoseconds: 0, version: ""))
            defer { opened.store.close() }
            return try body(opened.store)
        }
    }
}
