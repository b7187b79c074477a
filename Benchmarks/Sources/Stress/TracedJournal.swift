import CLinux
import Glibc
import Journal
import Vocabulary
import Wire

/// Records every scan that the journal says it has kept, before the station hears of it and so before any beep: a superset of what beeped.
/// No kill can shorten it, because it is in a pipe's buffer when `append` returns.
final class TracedJournal: ForwardingJournal {
    let inner: any ScanJournal
    private let trace: TraceWriter

    init(_ inner: any ScanJournal, trace: TraceWriter) {
        self.inner = inner
        self.trace = trace
    }

    func append(_ scans: [Event]) async throws(JournalError) -> [Event] {
        let kept = try await inner.append(scans)
        trace.kept(kept)
        return kept
    }
}

/// The station's side of the trace, on its standard output: `kept SEQ ID US` for each scan of a commit, microseconds
/// after it was accepted, `commit` after them, `beep`
/// when the buzzer begins to sound, `pulse` when the relay does. One `write` per message: nothing of it is left in this process when it is
/// killed.
struct TraceWriter: Sendable {
    func kept(_ scans: [Event]) {
        let now = Instant(nanoseconds: CLinux_boottime_ns())
        let lines = scans.compactMap(\.scanBody).map { event in
            let took = event.scan.acceptedAt.duration(to: now).wholeNanoseconds / 1000
            return "kept \(event.scan.sequence) \(event.scan.id) \(took)\n"
        }
        write(lines.joined() + "commit\n")
    }

    func beep() { write("beep\n") }

    func pulse() { write("pulse\n") }

    /// The process that started this station is gone, so the station must go, too.
    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { _exit(3) }
            offset += count
        }
    }
}
