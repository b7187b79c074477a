import Journal
import Synchronization
import Wire

/// Puts accepted scans into the journal: in order, and away from the scan loop, which mustn't wait for a disk.
///
/// What comes in while a commit is under way goes into the next one together.
final class ScanKeeper: Sendable {
    enum Outcome: Sendable {
        /// On disk, with sequence and journal id; as many as were handed over, in order.
        case kept([Event])
        case lost([Event], JournalError)
    }

    /// Scans that wait for the disk before a further one is refused: seconds of a very busy station.
    static let defaultLimit = 256

    private let journal: any ScanJournal
    private let limit: Int
    private let waiting = Mutex<[Event]>([])
    private let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init(journal: any ScanJournal, limit: Int = ScanKeeper.defaultLimit) {
        self.journal = journal
        self.limit = limit
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// `false`: too many wait for the disk already, none of these is taken.
    func submit(_ scans: [Event]) -> Bool {
        let isTaken = waiting.withLock { waiting in
            guard waiting.count + scans.count <= limit else { return false }
            waiting += scans
            return true
        }
        bell.yield()
        return isTaken
    }

    /// Keeps what is handed over and tells what became of it, in order, until `finish` and nothing waits any more.
    func run(_ tell: @Sendable (Outcome) async -> Void) async {
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

    /// Takes a last look at what waits; `run` returns then.
    func finish() {
        bell.yield()
        bell.finish()
    }

    private func takeAll() -> [Event]? {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting.isEmpty ? nil : waiting
        }
    }
}
