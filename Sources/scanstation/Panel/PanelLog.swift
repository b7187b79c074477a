import Logging
import Synchronization
import Wire

/// Keeps the newest warning or error for the panel, which has the terminal that log lines would go to.
final class PanelLog: Sendable {
    private let newest = Mutex<String?>(nil)

    /// The line that came since the last call, if one did.
    func take() -> String? {
        newest.withLock { line in
            defer { line = nil }
            return line
        }
    }

    fileprivate func put(_ line: String) { newest.withLock { $0 = line } }
}

/// Sends a logger's lines into a `PanelLog`.
struct PanelLogHandler: LogHandler {
    let panel: PanelLog
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .warning

    init(_ panel: PanelLog) { self.panel = panel }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.level >= .warning { panel.put(TerminalText.escape("\(event.message)")) }
    }
}
