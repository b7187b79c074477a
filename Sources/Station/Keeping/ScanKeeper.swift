import Journal
import Synchronization
import Wire

/// Puts accepted scans into the journal, in order, outside the scan loop, which mustn't wait for a disk.
///
/// What comes in while a commit is under way goes into the next one together.
final class ScanKeeper: Sendable {
    enum Outcome: Sendable {
        /// On disk, with sequence and journal id; as many as were handed over, in order.
        case kept([Event])
        case lost([Event], JournalError)
    }

    /// How many scans may wait for the disk before another is refused: some seconds of a very busy station.
    static let limit = 256

    private let journal: any ScanJournal
    private let waiting = Mutex<[Event]>([])
    private let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    private let loop = Mutex<Task<Void, Never>?>(nil)

    init(journal: any ScanJournal) {
        self.journal = journal
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Keeps what is handed over from now on, and reports what became of it, in order.
    func start(_ tell: @escaping @Sendable (Outcome) async -> Void) {
        loop.withLock { $0 = Task { await run(tell) } }
    }

    /// `false`: too many wait for the disk already; none of these is taken.
    func submit(_ scans: [Event]) -> Bool {
        let isTaken = waiting.withLock { waiting in
            guard waiting.count + scans.count <= Self.limit else { return false }
            waiting += scans
            return true
        }
        bell.yield()
        return isTaken
    }

    /// Deals with what still waits, and returns when everything has been reported.
    func finish() async {
        bell.yield()
        bell.finish()
        await loop.withLock(\.self)?.value
    }

    private func run(_ tell: @Sendable (Outcome) async -> Void) async {
        for await _ in rings {
            while let scans = takeAll() {
                do throws(JournalError) {
                    await tell(.kept(try await journal.append(scans)))
                } catch {
                    await tell(.lost(scans, error))
                }
            }
        }
    }

    private func takeAll() -> [Event]? {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting.isEmpty ? nil : waiting
        }
    }
}
