import Dispatch
import Foundation
import Synchronization

/// What a test has started, mounted or made and must not leave behind. It is undone newest first, at the test's end and on SIGINT, SIGTERM
/// and SIGHUP, which then end this process. (Stations end by themselves when nobody reads their trace any more, so even SIGKILL leaves none
/// running.)
///
/// `@unchecked Sendable`: the signal sources are made once and never touched again.
final class CleanUp: @unchecked Sendable {
    static let shared = CleanUp()

    private typealias Job = @Sendable () -> Void

    /// `nil`: everything has been undone, and whatever another thread still begins will be undone at once.
    private let jobs = Mutex<[(id: Int, job: Job)]?>([])
    private let next = Atomic<Int>(0)
    private let signals: [any DispatchSourceSignal]

    private init() {
        signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                CleanUp.shared.runAll()
                _exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Returns a function that undoes it (once, at the first call) and one that forgets it when there is nothing left to undo.
    func add(
        undo: @escaping @Sendable () -> Void
    ) -> (undo: @Sendable () -> Void, forget: @Sendable () -> Void) {
        let id = next.add(1, ordering: .relaxed).newValue
        let isOver = jobs.withLock { jobs in
            jobs?.append((id, undo))
            return jobs == nil
        }
        if isOver { undo() }
        return ({ [self] in take(id)?() }, { [self] in _ = take(id) })
    }

    private func take(_ id: Int) -> Job? {
        jobs.withLock { jobs in
            guard let index = jobs?.firstIndex(where: { $0.id == id }) else { return nil }
            return jobs?.remove(at: index).job
        }
    }

    func runAll() {
        let all = jobs.withLock { jobs in
            defer { jobs = nil }
            return jobs ?? []
        }
        for entry in all.reversed() { entry.job() }
    }
}

/// A test's own folder, deleted when the test is over.
final class ScratchFolder: Sendable {
    let path: String
    private let undo: @Sendable () -> Void
    private let forget: @Sendable () -> Void

    /// On the disk below `parent`; a journal on a tmpfs would prove nothing.
    init(_ name: String, in parent: String = NSTemporaryDirectory()) throws {
        let base = parent.hasSuffix("/") ? String(parent.dropLast()) : parent
        let path = "\(base)/scanstation-\(name)-\(getpid())-\(UInt16.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        self.path = path
        (undo, forget) = CleanUp.shared.add { try? FileManager.default.removeItem(atPath: path) }
    }

    deinit { undo() }

    func remove() { undo() }

    /// It stays, for a look at what is in it.
    func keep() {
        forget()
        say("kept: \(path)")
    }
}
