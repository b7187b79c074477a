import Settings
import Vocabulary

/// A scan without its place in the journal, which is known only when the scan's turn comes. Its line is written before the scan queues for
/// the disk, so that a commit costs no more than a copy.
package struct ScanLine: Sendable {
    package let event: Event
    package let scan: ScanEvent
    /// The line without its end.
    private let json: JSONWriter
    /// Where the place in the journal goes.
    private let gap: Int

    /// `nil` for an event that isn't a scan.
    package init?(_ event: Event, secrets: SecretPolicy) {
        guard case .scan(let scan) = event.body else { return nil }
        (self.event, self.scan) = (event, scan)
        var json = event.beginLine()
        json.member(.id, of: scan)
        gap = json.bytes.count
        event.writeRest(of: scan, secrets: secrets, to: &json)
        json.endObject()
        self.json = json
    }

    /// The event with its place.
    package func placed(journal: String, sequence: UInt64) -> Event {
        Event(stamp: event.stamp, body: .scan(placedScan(journal: journal, sequence: sequence)))
    }

    /// The line of the event with its place, without the newline.
    package func bytes(journal: String, sequence: UInt64) -> [UInt8] {
        var line = JSONWriter(reserving: json.bytes.count + 80, after: json.bytes[..<gap])
        line.place(of: placedScan(journal: journal, sequence: sequence))
        line.raw(json.bytes[gap...])
        return line.bytes
    }

    private func placedScan(journal: String, sequence: UInt64) -> ScanEvent {
        var scan = scan
        (scan.journal, scan.scan.sequence) = (journal, sequence)
        return scan
    }
}

extension JSONWriter {
    /// A scan's place: the journal's id, or null where it is empty, and the sequence in it.
    mutating func place(of scan: ScanEvent) {
        member(ScanField.journal.rawValue, fieldOrNull: scan.value(of: .journal))
        member(.seq, of: scan)
    }
}
