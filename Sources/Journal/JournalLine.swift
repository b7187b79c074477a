import Wire

/// A scan as it is stored: its line in two parts, encoded before it queues, with a gap for what only the writer knows.
struct JournalLine: Sendable {
    let event: Event
    let scan: ScanEvent
    private let head: ArraySlice<UInt8>
    private let tail: ArraySlice<UInt8>

    private static let gap = Array(#""journal":null,"seq":0,"#.utf8)

    /// `nil` for an event that isn't a scan.
    init?(_ event: Event) {
        guard case .scan(var scan) = event.body else { return nil }
        scan.journal = ""
        scan.scan.sequence = 0
        let line = Event(stamp: event.stamp, body: .scan(scan)).line(secrets: .revealed).dropLast()
        // A quote within a string is escaped, so the first match is the member itself.
        guard let range = line.firstRange(of: JournalLine.gap) else { return nil }
        self.event = event
        self.scan = scan
        head = line[..<range.lowerBound]
        tail = line[range.upperBound...]
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

    var byteCount: Int { head.count + tail.count + 80 }

    /// The line without its newline.
    func bytes(journal: String, sequence: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        bytes += head
        bytes += #""journal":""#.utf8
        bytes += journal.utf8
        bytes += #"","seq":"#.utf8
        bytes += String(sequence).utf8
        bytes.append(UInt8(ascii: ","))
        bytes += tail
        return bytes
    }

    /// The event as it was kept.
    func kept(journal: String, sequence: UInt64) -> Event {
        var scan = scan
        scan.journal = journal
        scan.scan.sequence = sequence
        return Event(stamp: event.stamp, body: .scan(scan))
    }
}
