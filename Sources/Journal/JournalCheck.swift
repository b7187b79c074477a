import Foundation
import GRDB
import Glibc
import Synchronization

/// The long check of the whole file (`PRAGMA quick_check`), on its own connection and thread, with the lowest priority unless scans wait
/// for it.
final class JournalCheck: Sendable {
    enum Verdict: Hashable, Sendable {
        case sound
        case damaged(String)
        /// Interrupted, or the file is out of reach.
        case unknown
    }

    private let running = Mutex<DatabaseQueue?>(nil)

    /// One at a time; a second one gets the answer "unknown".
    func run(_ place: JournalPlace, isUrgent: Bool, tell: @escaping @Sendable (Verdict) -> Void) {
        Thread.detachNewThread {
            // On Linux niceness belongs to a thread, and 0 is the calling one.
            if !isUrgent { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
            tell(self.verdict(on: place))
        }
    }

    private func verdict(on place: JournalPlace) -> Verdict {
        do {
            let queue = try DatabaseQueue(path: place.database, configuration: JournalConnection.readOnly)
            guard begin(queue) else { return .unknown }
            defer { running.withLock { $0 = nil } }
            let answer = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
            guard let answer else { return .unknown }
            return answer == "ok" ? .sound : .damaged("\(place.database): \(answer)")
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
        {
            return .damaged("\(place.database): \(error.message ?? "malformed")")
        } catch {
            return .unknown
        }
    }

    private func begin(_ queue: DatabaseQueue) -> Bool {
        running.withLock { running in
            guard running == nil else { return false }
            running = queue
            return true
        }
    }

    func cancel() { running.withLock { $0 }?.interrupt() }
}
