import Settings
import Wire

extension ScanLine {
    /// The scan as the journal keeps it: with secrets, and each reader decides what becomes of them. `nil` for other events.
    init?(kept event: Event) { self.init(event, secrets: .revealed) }

    /// All of them, or an error that names the one that isn't a scan.
    static func lines(_ events: [Event]) throws(JournalError) -> [ScanLine] {
        var lines: [ScanLine] = []
        for event in events {
            guard let line = ScanLine(kept: event) else {
                throw JournalError(.failed, "only scans are kept in the journal, not an event of type \(event.type)")
            }
            lines.append(line)
        }
        return lines
    }
}
