import Glibc
import Linux
import Logging
import Wire

/// Writes log lines to standard error in a form that journald understands: `<3>camera: …`, with the syslog priority in
/// front when standard error goes to the journal, and a readable level on a terminal.
package struct JournalLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    let label: String
    let isJournal: Bool

    /// journald sets JOURNAL_STREAM for the services whose standard error it reads.
    package init(label: String, level: Logger.Level, isJournal: Bool = Environment.value("JOURNAL_STREAM") != nil) {
        self.label = label
        logLevel = level
        self.isJournal = isJournal
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let line = Self.render(
            level: event.level, label: label, message: "\(event.message)", metadata: fields, isJournal: isJournal)
        // One write a line: lines of several threads don't mix. A full or closed standard error loses the line, not us.
        _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    static func render(
        level: Logger.Level, label: String, message: String, metadata: Logger.Metadata, isJournal: Bool
    ) -> String {
        var line = isJournal ? "<\(level.syslogPriority)>" : "\(level.rawValue): "
        line += "\(label): \(message.terminalSafe)"
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += " \(key)=\("\(value)".terminalSafe)"
        }
        return line + "\n"
    }
}

extension Logger.Level {
    /// Syslog's numbers (RFC 5424), as journald takes them.
    var syslogPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

extension String {
    /// What a code says must not steer a terminal or forge a log line; a log line holds 2,000 characters at most.
    var terminalSafe: String { TerminalText.escape(self, limit: 2_000) }
}
