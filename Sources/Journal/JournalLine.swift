import Settings
import Wire

extension ScanLine {
    /// As the journal keeps it: it has the secrets, and each reader decides what becomes of them. `nil` for what isn't a scan.
    init?(kept event: Event) { self.init(event, secrets: .revealed) }

    /// All of them, or an error that says which isn't a scan.
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
