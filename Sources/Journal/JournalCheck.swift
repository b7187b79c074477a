import Foundation
import GRDB
import Glibc
import Synchronization

/// The long check of the whole file (`PRAGMA quick_check`), on a connection and a thread of its own, with the lowest priority.
final class JournalCheck: Sendable {
    private let running = Mutex<DatabaseQueue?>(nil)

    /// Calls `damaged` when the file is; says nothing else. One at a time.
    func run(_ place: JournalPlace, damaged: @escaping @Sendable (String) -> Void) {
        Thread.detachNewThread {
            // On Linux niceness belongs to a thread, and 0 is the calling one.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
            do {
                let queue = try DatabaseQueue(path: place.database, configuration: JournalConnection.readOnly)
                guard self.begin(queue) else { return }
                defer { self.running.withLock { $0 = nil } }
                let answer = try queue.inDatabase { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
                if let answer, answer != "ok" { damaged("\(place.database): \(answer)") }
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
            {
                damaged("\(place.database): \(error.message ?? "malformed")")
            } catch {
                // Interrupted, or the file is out of reach: the writer will notice what matters.
            }
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
