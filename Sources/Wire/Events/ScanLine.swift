import Settings

/// A scan but for its place in the journal, which is known only when the scan's turn comes. Its line is written before the scan
/// queues for the disk, so that a commit costs no more than a copy.
package struct ScanLine: Sendable {
    package let event: Event
    package let scan: ScanEvent
    /// Without its end.
    private let json: JSONWriter
    /// Where the place belongs.
    private let gap: Int

    /// `nil` for an event that isn't a scan.
    package init?(_ event: Event, secrets: SecretPolicy) {
        guard case .scan(let scan) = event.body else { return nil }
        (self.event, self.scan) = (event, scan)
        var json = event.beginLine()
        json.member("id", scan.scan.id)
        gap = json.bytes.count
        event.writeRest(of: scan, secrets: secrets, to: &json)
        json.endObject()
        self.json = json
    }

    /// The event with its place.
    package func placed(journal: String, sequence: UInt64) -> Event {
        var scan = scan
        (scan.journal, scan.scan.sequence) = (journal, sequence)
        return Event(stamp: event.stamp, body: .scan(scan))
    }

    /// The line of the event with its place, without the newline.
    package func bytes(journal: String, sequence: UInt64) -> [UInt8] {
        var line = JSONWriter(reserving: json.bytes.count + 80, after: json.bytes[..<gap])
        line.place(journal: journal, sequence: sequence)
        line.raw(json.bytes[gap...])
        return line.bytes
    }
}

extension JSONWriter {
    /// A scan's place: the journal's id, or null where it is empty, and the sequence in it.
    mutating func place(journal: String, sequence: UInt64) {
        member("journal", orNull: journal.isEmpty ? nil : journal)
        key("seq")
        unsigned(sequence)
    }
}
