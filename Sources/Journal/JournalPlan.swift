import Wire

/// Jobs turned into one transaction: what is written, the ledger after it, and who gets which answer once it is durable. A value; a plan
/// that fails is thrown away, and nothing has changed.
struct JournalPlan: Sendable {
    private(set) var ledger: JournalLedger
    private(set) var batch = JournalBatch()
    /// The kept scans, for the tail.
    private(set) var kept: [Event] = []
    private(set) var notes: [String] = []
    /// The jobs it consists of, for trying them one by one.
    private(set) var jobs: [JournalJob] = []
    private(set) var byteCount: UInt64 = 0
    private var answers: [@Sendable () -> Void] = []

    private let room: JournalRoom
    private let liveBytes: UInt64
    private let wall: Int64

    init(_ ledger: JournalLedger, room: JournalRoom, liveBytes: UInt64, wall: Int64) {
        self.ledger = ledger
        self.room = room
        self.liveBytes = liveBytes
        self.wall = wall
    }

    /// Adds a job, or answers it at once if it can't be done. `full`: why no scan can be taken now.
    mutating func add(_ job: JournalJob, full: String?) {
        do {
            switch job {
            case .append(let lines, let answer): try append(lines, answer, full: full)
            case .settle(let settlement, let answer): try settle(settlement, answer)
            case .register(let outputs, let answer): register(outputs, answer)
            case .record(let said, let answer): record(said, answer)
            case .remember(let note, let text, let answer):
                batch.notes[note] = text
                answers.append { answer(.success(())) }
            }
            jobs.append(job)
        } catch {
            job.fail(error)
        }
    }

    private mutating func append(
        _ lines: [ScanLine], _ answer: @escaping JournalJob.Answer<[Event]>, full: String?
    ) throws(JournalError) {
        let incoming = UInt64(lines.count)
        if let full = full ?? room.obstacle(ledger, liveBytes: liveBytes, incoming: incoming, isFull: false) {
            throw JournalError(.full, "the journal is full: \(full)")
        }
        if let through = room.drop(ledger, liveBytes: liveBytes + byteCount, incoming: incoming) { drop(through) }
        let events = lines.map { keep($0) }
        answers.append { answer(.success(events)) }
    }

    private mutating func settle(
        _ settlement: Settlement, _ answer: @escaping JournalJob.Answer<Void>
    ) throws(JournalError) {
        let before = ledger.outputs[settlement.output]
        let exceptions = try ledger.settle(settlement)
        write(exceptions, of: settlement.output)
        if before != ledger.outputs[settlement.output] { write(settlement.output) }
        answers.append { answer(.success(())) }
    }

    private mutating func register(
        _ outputs: [JournalOutput], _ answer: @escaping JournalJob.Answer<[String: UInt64]>
    ) {
        let (said, forgotten) = ledger.register(outputs)
        notes += said
        batch.outputs = Array(ledger.outputs.values)
        batch.forgotten += forgotten
        let cursors = Dictionary(outputs.map { ($0.name, ledger.outputs[$0.name]?.cursor ?? 0) }) { first, _ in first }
        answers.append { answer(.success(cursors)) }
    }

    /// What was said about a scan that isn't kept any more belongs to nothing.
    private mutating func record(_ said: RecordedAnswer, _ answer: @escaping JournalJob.Answer<Void>) {
        if ledger.first <= said.answer.sequence, said.answer.sequence <= ledger.last {
            batch.answers.append(said)
            byteCount += RecordedAnswer.rowBytes
        }
        answers.append { answer(.success(())) }
    }

    /// Takes over what is known about a lost journal: scans, with their old sequences, and the cursors. `last`: its newest sequence, when
    /// these are the last ones.
    mutating func adopt(_ scans: [Event], outputs: [String: JournalLedger.Output], last: UInt64?) {
        for event in scans {
            guard let line = ScanLine(kept: event) else { continue }
            pass(to: line.scan.scan.sequence - 1)
            keep(line)
        }
        if let last { pass(to: last) }
        for var row in outputs.values {
            let known = ledger.outputs[row.name]?.cursor ?? 0
            row.cursor = min(max(row.cursor, known, ledger.first - 1), ledger.last)
            ledger.outputs[row.name] = row
        }
        batch.outputs = Array(ledger.outputs.values)
    }

    /// Sequences up to `last` are taken, by scans that are lost.
    private mutating func pass(to last: UInt64) {
        guard last > ledger.last else { return }
        if ledger.count == 0 { ledger.first = last + 1 }
        ledger.last = last
        batch.last = last
    }

    @discardableResult
    private mutating func keep(_ line: ScanLine) -> Event {
        ledger.last += 1
        let event = line.placed(journal: ledger.id, sequence: ledger.last)
        let bytes = line.bytes(journal: ledger.id, sequence: ledger.last)
        batch.rows.append(
            JournalBatch.Row(
                sequence: ledger.last, id: line.scan.scan.id, wallNanoseconds: event.stamp.wallNanoseconds,
                isSynced: event.stamp.isClockSynced, boot: event.stamp.boot, session: line.scan.scan.session,
                line: bytes))
        byteCount += UInt64(bytes.count)
        kept.append(event)
        return event
    }

    /// Drops scans, only those that the ledger allows.
    mutating func drop(_ through: UInt64) {
        let through = min(through, ledger.floor)
        guard through >= ledger.first else { return }
        ledger.first = through + 1
        batch.dropThrough = through
        ledger.unreadable = ledger.unreadable.filter { $0 > through }
        if through == ledger.last { batch.last = ledger.last }
    }

    mutating func markUnreadable(_ sequence: UInt64, reason: String) {
        batch.exceptions.append(
            JournalBatch.ExceptionRow(
                output: "",
                exception: Settlement.Exception(sequence: sequence, outcome: .undeliverable, reason: reason),
                wallNanoseconds: wall))
        for (output, exceptions) in ledger.markUnreadable(sequence) {
            write(exceptions, of: output)
            write(output)
        }
    }

    mutating func probe() { batch.isProbe = true }

    /// Tells everyone that it is done.
    func answer() { for answer in answers { answer() } }

    /// The kill test's mutation: says so before it is true.
    mutating func answerNow() {
        answer()
        answers = []
        jobs = []
    }

    private mutating func write(_ exceptions: [Settlement.Exception], of output: String) {
        batch.exceptions += exceptions.map {
            JournalBatch.ExceptionRow(output: output, exception: $0, wallNanoseconds: wall)
        }
    }

    private mutating func write(_ output: String) {
        guard let row = ledger.outputs[output] else { return }
        batch.outputs.removeAll { $0.name == output }
        batch.outputs.append(row)
    }
}
