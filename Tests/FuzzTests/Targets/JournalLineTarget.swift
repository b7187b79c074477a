import Wire

@testable import Journal

/// A row of the journal as it is read back, and exported: the file may be damaged, or have been written by anything.
enum JournalLineTarget {
    static func check(_ input: inout FuzzInput) throws {
        let line = input.all()
        let event: Event
        do throws(ScanLineError) {
            event = try ScanEventReader().read(line)
        } catch {
            try demand(!error.message.isEmpty, "an error says what is wrong")
            return
        }
        guard case .scan(let scan) = event.body else {
            throw BrokenPromise(promise: "a scan", file: #fileID, line: #line)
        }
        try demand(scan.scan.sequence <= UInt64(Int64.max), "a number is one that JSON readers keep")

        let written = event.line(secrets: .revealed)
        let json = try Lines.demandJSON(written)
        let again = try ScanEventReader().read(written)
        try demand(
            again.line(secrets: .revealed) == written,
            "an event that was read writes the same line: \(Lines.shown(written))")
        try demand(again == event || Scans.isRounded(event, again), "an event that was read is read again as it was")
        try Lines.demandPlain(HumanLine.render(json, in: { _ in 7200 }))
        try Lines.demandJSON(event.line(secrets: .withheld))

        guard let kept = ScanLine(kept: event) else {
            throw BrokenPromise(promise: "a scan can be kept", file: #fileID, line: #line)
        }
        let row = kept.bytes(journal: "journal-2", sequence: 9)
        try demand(
            row + [0x0A] == kept.placed(journal: "journal-2", sequence: 9).line(secrets: .revealed),
            "the stored line is the event's")
    }
}
