import Glibc
import Linux
import Settings
import Vocabulary
import Wire

/// Scans in a file, as NDJSON or as a template writes them, with rotation.
///
/// With `sync` on, a receipt means "on disk": a batch of records is written and synced once. A record that doesn't fit is removed again and
/// offered later, so that the file always has only complete records. A record may come twice after a crash between writing it and noting
/// its receipt; its id tells. All calls block, on a thread of their own.
actor FileOutput: Output, RelinkingOutput {
    struct Limits: Sendable {
        /// How many records are synced together.
        var batch = 256
        /// Waits between attempts to open the file, or to find room.
        var reopen = RetryMachine.Policy(initial: .milliseconds(200), maximum: .seconds(5), jitter: 0.1)
    }

    nonisolated let name: String
    nonisolated var states: AsyncStream<OutputStatus> { status.stream }
    nonisolated var batchLimit: Int { limits.batch }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    nonisolated let loop = EventLoop()
    private nonisolated let status = StatusChannel()
    private nonisolated let settings: FileSettings
    private nonisolated let limits: Limits
    private let format: ScanFormat
    private let secrets: SecretPolicy
    private let calls: FileCalls
    /// Says whose file a path is, if it isn't this output's.
    private let owner: @Sendable (String) -> String?

    private var file: RecordFile?
    var link: RetryLink
    /// The file's size before the batch; `nil` once it isn't the same file any more.
    private var batchStart: Int?
    /// A sync failed in this batch.
    private var isUncertain = false
    /// Bytes of the record that found no room.
    private var missingRoom = 0
    private var isStopped = false
    private var figures: OutputReport

    /// Throws if the template has an error; a file that can't be opened is a state.
    init(
        name: String, settings: FileSettings, secrets: SecretPolicy, limits: Limits = Limits(),
        calls: FileCalls = FileCalls(), owner: @escaping @Sendable (String) -> String? = { _ in nil }
    ) throws(DeliveryError) {
        do {
            format = try ScanFormat(settings.format, secrets: secrets)
        } catch {
            throw DeliveryError(.badSetting, "\(name): \(error.message)")
        }
        self.name = name
        self.settings = settings
        self.secrets = secrets
        self.limits = limits
        self.calls = calls
        self.owner = owner
        link = RetryLink(policy: limits.reopen)
        figures = OutputReport(name: name, kind: FileSettings.key, status: OutputStatus(.idle))
    }

    // MARK: Output

    nonisolated func wants(_ event: Event) -> Bool {
        if case .scan = event.body { return true }
        return settings.lines == .json && !settings.scansOnly
    }

    func start() {
        guard !isStopped else { return }
        feedLink(.begin)
    }

    func deliver(_ event: Event) async -> Receipt {
        await deliver([event]).first ?? .failed(reason: "\(name) wrote nothing", retry: true)
    }

    /// `async`, like the protocol's method: otherwise calls would prefer the extension's, which delivers one event after another.
    func deliver(_ events: [Event]) async -> [Receipt] {
        guard !isStopped else { return [.failed(reason: "\(name) is stopped", retry: true)] }
        var written = 0
        var failure: DeliveryError?
        isUncertain = false
        batchStart = nil
        do throws(DeliveryError) {
            try prepare()
            batchStart = file?.size
            for event in events.prefix(limits.batch) {
                if let record = record(of: event) { try append(record) }
                written += 1
            }
        } catch {
            failure = error
        }
        do throws(DeliveryError) {
            // The kernel reports a failed sync only once: a later one that succeeds says nothing about what was written before.
            if !isUncertain { try sync() }
        } catch {
            failure = error
        }
        if isUncertain {
            // None of them is on disk for certain: they are removed and come again, so as not to be there twice.
            if let batchStart { file?.cut(to: batchStart) }
            written = 0
        }
        figures.delivered += UInt64(written)
        let accepted = [Receipt](repeating: .accepted, count: written)
        guard let failure else {
            missingRoom = 0
            status.set(.ready)
            return accepted
        }
        failed(failure)
        return accepted + [.failed(reason: failure.message, retry: true)]
    }

    func stop() {
        guard !isStopped else { return }
        isStopped = true
        feedLink(.abandon)
        file = nil
        status.set(.stopped)
    }

    func report() -> OutputReport {
        var report = figures
        report.status = status.current
        return report
    }

    // MARK: Records

    private func record(of event: Event) -> [UInt8]? {
        settings.lines == .json ? event.line(secrets: secrets) : format.render(event)
    }

    /// The file is open, and the one that `path` names.
    private func prepare() throws(DeliveryError) {
        if file?.isCurrent != true { try open() }
        file?.refresh()
        feedLink(.abandon)
    }

    private func open() throws(DeliveryError) {
        file = nil
        file = try RecordFile.open(
            settings.path, mode: settings.mode, isLines: settings.lines == .json || format.endsInLineFeed,
            sync: settings.sync, calls: calls, owner: owner)
    }

    private func append(_ record: [UInt8]) throws(DeliveryError) {
        if let full = file, full.size > 0, full.size + record.count > settings.rotateBytes {
            // What went into it gets its receipt with what comes after.
            try sync()
            try full.rotate(keep: settings.rotateKeep, sync: settings.sync)
            batchStart = nil
            try open()
        }
        missingRoom = record.count
        try file?.append(record)
        figures.bytes += UInt64(record.count)
    }

    private func sync() throws(DeliveryError) {
        guard settings.sync else { return }
        do throws(DeliveryError) {
            try file?.sync()
        } catch {
            isUncertain = true
            throw error
        }
    }

    /// Everything is opened again, which reveals a file that was moved, made read-only, or left with a torn end.
    private func failed(_ error: DeliveryError) {
        file = nil
        waiting(error)
        linkLost()
    }

    private func waiting(_ error: DeliveryError) {
        figures.lastError = error.message
        status.set(.waiting, detail: error.message)
    }

    // MARK: The link

    /// Ready means that the next record would be taken, as far as one can tell without writing it.
    func attemptLink() {
        do throws(DeliveryError) {
            if file == nil { try open() }
            guard file?.hasRoom(for: missingRoom) != false else {
                throw FileProblem.error("write to", settings.path, SystemError(ENOSPC))
            }
            feedLink(.succeeded)
            status.set(.ready)
        } catch {
            file = nil
            waiting(error)
            feedLink(.failed)
        }
    }
}
