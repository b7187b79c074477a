import Settings

/// A scan's line but for its place in the journal, which is known only when the scan's turn comes: all else is written before the
/// scan queues for the disk, so that a commit costs no more than a copy.
package struct ScanLine: Sendable {
    /// Without its end.
    private let json: JSONWriter
    /// Where the place belongs.
    private let gap: Int

    /// `nil` for an event that isn't a scan.
    package init?(_ event: Event, secrets: SecretPolicy) {
        guard case .scan(let scan) = event.body else { return nil }
        var json = event.beginLine()
        json.member("id", scan.scan.id)
        gap = json.bytes.count
        event.writeRest(of: scan, secrets: secrets, to: &json)
        json.endObject()
        self.json = json
    }

    /// Bytes of the longest line that it may become, of a journal whose id is a UUID.
    package var byteCount: Int { json.bytes.count + 80 }

    /// The line without its newline: the same as the event's line with this place.
    package func bytes(journal: String, sequence: UInt64) -> [UInt8] {
        var line = JSONWriter(reserving: byteCount, after: json.bytes[..<gap])
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
