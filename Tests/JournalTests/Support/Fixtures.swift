import Payloads
import Settings
import Synchronization
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Journal

/// A scan with the id `s-NUMBER`, as the scan loop hands it over.
func scan(_ number: Int, text: String? = nil, wall: Int64 = 1_795_241_680_125_000_000, isSynced: Bool = true) -> Event {
    let origin = Point(x: 0.25, y: 0.5)
    let content = text ?? "code \(number)"
    let symbol = Symbol(
        symbology: .code128, aim: "]C0", bytes: Array(content.utf8), text: content,
        corners: Quad(origin, origin, origin, origin))
    let frame = FrameInfo(
        sequence: UInt64(number), exposedAt: Instant(nanoseconds: 2_000_000),
        deliveredAt: Instant(nanoseconds: 3_000_000))
    let scan = Scan(
        id: "s-\(number)", sequence: 0, acceptedAt: Instant(nanoseconds: 9_000_000), trigger: .presentation, session: 7,
        symbol: symbol, reads: 1, frame: frame, decodeTime: .milliseconds(2))
    return Event(
        stamp: Stamp(wallNanoseconds: wall, isClockSynced: isSynced, boot: "boot-1", station: "dock"),
        body: .scan(ScanEvent(scan: scan, payload: PayloadInterpreter().interpret(symbol))))
}

func scans(_ numbers: some Sequence<Int>) -> [Event] { numbers.map { scan($0) } }

extension Event {
    var scanBody: ScanEvent? { if case .scan(let scan) = body { scan } else { nil } }
    var sequence: UInt64 { scanBody?.scan.sequence ?? 0 }
    var id: String { scanBody?.scan.id ?? "" }
}

/// What the journal logs.
final class LogBook: Sendable {
    private let lines = Mutex<[(level: LogSettings.Level, text: String)]>([])

    var log: JournalLog { { level, text in self.lines.withLock { $0.append((level, text)) } } }

    func has(_ text: String, at level: LogSettings.Level? = nil) -> Bool {
        lines.withLock { $0.contains { $0.text.contains(text) && (level == nil || $0.level == level) } }
    }

    func count(of text: String) -> Int { lines.withLock { $0.count { $0.text.contains(text) } } }
}

/// A fault for the next commits, set by the test.
final class Fault: Sendable {
    private let next = Mutex<(fault: JournalFault?, times: Int)>((nil, 0))

    func set(_ fault: JournalFault?, times: Int = .max) { next.withLock { $0 = (fault, times) } }

    func raise() throws(JournalFault) {
        let fault = next.withLock { next -> JournalFault? in
            guard next.times > 0 else { return nil }
            next.times -= 1
            return next.fault
        }
        if let fault { throw fault }
    }
}

/// A journal in a temporary folder, with fake time.
struct Rig {
    let folder: TemporaryFolder
    let time = FakeTime()
    let log = LogBook()
    let fault = Fault()
    let free = Mutexed<UInt64>(1 << 30)
    var settings = JournalSettings()
    var options = JournalOptions()

    init(folder: TemporaryFolder = TemporaryFolder(), change: (inout JournalSettings) -> Void = { _ in }) {
        self.folder = folder
        change(&settings)
        options.clock = time.clock
        options.later = time.later
        options.checkDelay = nil
        options.beforeCommit = { [fault] () throws(JournalFault) in try fault.raise() }
        options.freeBytes = { [free] in free.value }
    }

    func make() -> SQLiteJournal {
        SQLiteJournal(settings: settings, folder: folder.path, options: options, log: log.log)
    }

    func open() async -> SQLiteJournal {
        let journal = make()
        await journal.open()
        return journal
    }
}

/// A value behind a lock, for closures.
final class Mutexed<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    init(_ value: Value) { content = Mutex(value) }

    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}

/// The error that `body` throws.
func journalError(_ body: () async throws(JournalError) -> Void) async -> JournalError? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}
