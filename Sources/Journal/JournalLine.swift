import Wire

/// A scan as it is stored: the event, and its line, encoded before it queues.
struct JournalLine: Sendable {
    let event: Event
    let scan: ScanEvent
    private let line: ScanLine

    /// `nil` for an event that isn't a scan.
    init?(_ event: Event) {
        guard case .scan(let scan) = event.body, let line = ScanLine(event, secrets: .revealed) else { return nil }
        self.event = event
        self.scan = scan
        self.line = line
    }

    /// All of them, or an error that says which isn't a scan.
    static func lines(_ events: [Event]) throws(JournalError) -> [JournalLine] {
        var lines: [JournalLine] = []
        for event in events {
            guard let line = JournalLine(event) else {
                throw JournalError(.failed, "only scans are kept in the journal, not an event of type \(event.type)")
            }
            lines.append(line)
        }
        return lines
    }

    var byteCount: Int { line.byteCount }

    /// The line without its newline.
    func bytes(journal: String, sequence: UInt64) -> [UInt8] { line.bytes(journal: journal, sequence: sequence) }

    /// The event as it was kept.
    func kept(journal: String, sequence: UInt64) -> Event {
        var scan = scan
        scan.journal = journal
        scan.scan.sequence = sequence
        return Event(stamp: event.stamp, body: .scan(scan))
    }
}
