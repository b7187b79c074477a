import ConsoleAccess
import Foundation
import Glibc
import Linux
import Logging
import Settings
import Synchronization
import Vocabulary
import Wire

/// The console beside a station on a desk, where no service manager starts it: begun with the station, begun again when it dies, ended with
/// the station.
///
/// It says where its page is in a line on its standard output, `{"address":"http://127.0.0.1:8080/#key=…"}`; the key is for one sign-in. A
/// thread waits for it: it dies with that thread, however the station ends.
final class ConsoleProcess: Sendable {
    static let name = "scanstation-console"
    /// Names another program; empty: none.
    static let environmentVariable = "SCANSTATION_CONSOLE"
    /// Before it is started again; doubles.
    static let firstWait: Duration = .seconds(1)
    static let longestWait: Duration = .seconds(60)
    /// One that lived for this long hasn't failed to start.
    static let soundLife: Duration = .seconds(60)
    /// How long it may take to end when it is asked to.
    static let patience: Duration = .seconds(2)
    /// The longest line that it may write.
    static let maxLineBytes = 4096

    private struct State {
        var address: String?
        var isStarted = false
        var isStopped = false
        var isOver = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let program: String
    private let arguments: [String]
    private let log: Logger
    private let firstWait: Duration
    private let state = Mutex(State())
    /// Ends the thread's waiting.
    private let bell = Waker()

    /// Where its page is; `nil`: it hasn't said yet.
    var address: String? { state.withLock(\.address) }

    init(program: String, arguments: [String], log: Logger, firstWait: Duration = ConsoleProcess.firstWait) {
        self.program = program
        self.arguments = arguments
        self.log = log
        self.firstWait = firstWait
    }

    /// The console for a station whose console socket is at `socket`; `nil`: it is off, there is no such program, or this user has no home.
    static func make(_ settings: ConsoleSettings, socket: String?, log: Logger) -> ConsoleProcess? {
        guard settings.isEnabled, let socket, let program = locate(), let folder = ConsoleFolder.desk() else {
            return nil
        }
        var arguments = ["--socket", socket, "--state", folder.path, "--port", "\(settings.port)"]
        switch settings.address {
        case .automatic: break
        case .local: arguments += ["--address", "local"]
        case .network: arguments += ["--address", "network"]
        case .literal(let address): arguments += ["--address", address]
        }
        return ConsoleProcess(program: program, arguments: arguments, log: log)
    }

    /// The one named by SCANSTATION_CONSOLE, else the one beside this program.
    private static func locate() -> String? {
        let named = Environment.value(environmentVariable)
        let beside = Files.resolved("/proc/self/exe").map { ($0 as NSString).deletingLastPathComponent + "/" + name }
        guard let path = named ?? beside, FileManager.default.isExecutableFile(atPath: path) else { return nil }
        return path
    }

    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isStopped
        }
        guard isFirst else { return }
        Thread.detachNewThread { [self] in run() }
    }

    /// Returns when it has ended; it is killed if it doesn't do so by itself.
    func stop() async {
        state.withLock { $0.isStopped = true }
        bell.wake()
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                let isOver = state.isOver || !state.isStarted
                if !isOver { state.waiters.append(waiter) }
                return isOver
            }
            if isOver { waiter.resume() }
        }
    }

    private var isStopped: Bool { state.withLock(\.isStopped) }

    // MARK: The thread

    private func run() {
        var failures = 0
        while !isStopped {
            let begin = MonotonicClock.nanoseconds
            let end = once()
            state.withLock { $0.address = nil }
            guard !isStopped else { break }
            let life = Duration.nanoseconds(MonotonicClock.nanoseconds - begin)
            failures = life >= Self.soundLife ? 1 : failures + 1
            let wait = Backoff.wait(afterFailures: failures, first: firstWait, longest: Self.longestWait)
            log.warning("the console \(end); it is started again in \(DurationText.text(wait))")
            _ = isReady(bell.descriptor, within: wait)
        }
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Runs it until it ends, or is to end; says how it ended.
    private func once() -> String {
        let running: Program
        do throws(Program.NotStarted) {
            running = try Program(program, arguments, [.pipe, .pipe])
        } catch {
            return "can't be started: \(error)"
        }
        let (output, errors) = (running.outputs[0], running.outputs[1])
        var said = LineSplitter(maxLineBytes: Self.maxLineBytes)
        var complained = LineSplitter(maxLineBytes: Self.maxLineBytes)
        var (isTalking, isComplaining) = (true, true)
        while true {
            // A negative descriptor is passed over: one that was closed would be readable forever.
            var polled = [
                pollfd(running.ended), pollfd(bell.descriptor), pollfd(isTalking ? output.number : -1),
                pollfd(isComplaining ? errors.number : -1),
            ]
            _ = anyIsReady(&polled)
            isTalking = Self.read(output, &said) { hear($0) }
            isComplaining = Self.read(errors, &complained) { log.notice("console: \(TerminalText.escape($0))") }
            if isStopped {
                running.end(with: SIGTERM, patience: Self.patience)
                return "was stopped"
            }
            if let end = running.reap() { return "ended: \(end)" }
        }
    }

    /// Takes the lines that came; `false` when the other end is closed.
    private static func read(_ end: Descriptor, _ splitter: inout LineSplitter, _ take: (String) -> Void) -> Bool {
        switch end.read(limit: maxLineBytes) {
        case .bytes(let bytes):
            for case .line(let line) in splitter.add(bytes) { take(String(decoding: line, as: UTF8.self)) }
            return true
        case .nothing: return true
        case .end, .failed: return false
        }
    }

    private func hear(_ line: String) {
        guard let json = try? JSONValue(parsing: line.utf8), let address = json["address"]?.stringValue else { return }
        let isNew = state.withLock { state in
            defer { state.address = address }
            return state.address != address
        }
        if isNew { log.notice("the console is at \(TerminalText.escape(address))") }
    }
}
