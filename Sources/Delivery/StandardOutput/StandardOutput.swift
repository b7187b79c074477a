import Glibc
import Linux
import Settings
import Vocabulary
import Wire

/// Events on standard output, one per line, as JSON or text.
///
/// A slow reader, or a terminal held with ^S, makes `deliver` wait: scans that come meanwhile are in the journal, other events in the
/// dispatcher's queue, up to its limit. When a reader closes its end, the output is `failed` for good; the station goes on. The process
/// should ignore SIGPIPE for the sake of its other writes; this output doesn't depend on it (see `EventLoop`).
actor StandardOutput: Output {
    /// A write that finds no room for this long makes the state `stalled`.
    static let stallTime: Duration = .seconds(1)

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let loop = EventLoop()
    private nonisolated let status = StatusChannel()
    private nonisolated let settings: StandardOutputSettings
    private let secrets: SecretPolicy
    private let number: Int32
    private let stallTime: Duration
    private var channel: StandardOutputChannel?
    private var watch: Int?
    private var sending: Sending?
    private var isStopped = false
    private var figures: OutputReport

    private struct Sending {
        let line: [UInt8]
        var offset = 0
        var timer: Int?
        let done: CheckedContinuation<Receipt, Never>
    }

    init(
        name: String, settings: StandardOutputSettings, secrets: SecretPolicy,
        descriptor: Int32 = STDOUT_FILENO, stallTime: Duration = StandardOutput.stallTime
    ) {
        self.name = name
        self.settings = settings
        self.secrets = secrets
        number = descriptor
        self.stallTime = stallTime
        figures = OutputReport(name: name, kind: StandardOutputSettings.key, status: OutputStatus(.idle))
    }

    nonisolated func wants(_ event: Event) -> Bool {
        guard settings.scansOnly else { return true }
        return if case .scan = event.body { true } else { false }
    }

    func start() {
        guard channel == nil, !isStopped else { return }
        do {
            let channel = try StandardOutputChannel(duplicating: number)
            self.channel = channel
            // No event is requested; an error (the reader has gone) is reported even so.
            watch = loop.watch(channel.descriptor.number, events: 0) { ready in
                self.assumeIsolated { $0.handle(ready) }
            }
            status.set(.ready)
        } catch {
            fail(error.message)
        }
    }

    func deliver(_ event: Event) async -> Receipt {
        guard channel != nil, !isStopped, sending == nil else {
            return .failed(reason: status.current.detail ?? "\(name) is not open", retry: false)
        }
        let line = settings.format == .json ? event.line(secrets: secrets) : EventText.line(event, secrets: secrets)
        return await withCheckedContinuation { done in
            sending = Sending(line: line, done: done)
            write()
        }
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        finish(.failed(reason: "\(name) is stopped", retry: true))
        close()
        status.set(.stopped)
    }

    func report() -> OutputReport {
        var report = figures
        report.status = status.current
        return report
    }

    private func handle(_ ready: Int16) {
        if Int32(ready) & POLLOUT != 0, sending != nil { write() }
        if channel != nil, Int32(ready) & (POLLERR | POLLNVAL | POLLHUP) != 0 { fail(Self.readerGone) }
    }

    private static let readerGone = "the program reading standard output has exited: no more events are written there"

    private func write() {
        while let channel, let current = sending {
            guard current.offset < current.line.count else {
                figures.delivered += 1
                status.set(.ready)
                return finish(.accepted)
            }
            switch channel.write(current.line, from: current.offset) {
            case .written(let count):
                figures.bytes += UInt64(count)
                sending?.offset += count
            case .wouldBlock: return wait()
            case .failed(let error):
                if error.code == EPIPE || error.code == EBADF { return fail(Self.readerGone) }
                let message = "cannot write to standard output: \(error.text)"
                figures.lastError = message
                status.set(.stalled, detail: message)
                return finish(.failed(reason: message, retry: true))
            }
        }
    }

    private func wait() {
        watch.map { loop.setEvents(POLLOUT, of: $0) }
        guard sending?.timer == nil else { return }
        sending?.timer = loop.setTimer(at: Instant.now.advanced(by: stallTime)) {
            self.assumeIsolated { $0.status.set(.stalled, detail: "nobody reads standard output at the moment") }
        }
    }

    private func fail(_ message: String) {
        figures.lastError = message
        status.set(.failed, detail: message)
        close()
        finish(.failed(reason: message, retry: false))
    }

    private func close() {
        watch.map(loop.unwatch)
        watch = nil
        channel = nil
    }

    private func finish(_ receipt: Receipt) {
        guard let finished = sending else { return }
        finished.timer.map(loop.cancelTimer)
        watch.map { loop.setEvents(0, of: $0) }
        sending = nil
        finished.done.resume(returning: receipt)
    }
}
