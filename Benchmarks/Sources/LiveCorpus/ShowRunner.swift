import Dispatch
import Foundation

/// Runs shows, several at a time, each in a process of its own.
enum ShowRunner {
    /// In the order of `shows`. Throws when a show can't be started.
    static func run(_ shows: [LiveShow], jobs: Int) throws -> [LiveShowResult] {
        let lock = NSLock()
        nonisolated(unsafe) var results = [LiveShowResult?](repeating: nil, count: shows.count)
        nonisolated(unsafe) var next = 0
        nonisolated(unsafe) var failure: (any Error)?
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while true {
                let index = lock.withLock {
                    defer { next += 1 }
                    return next
                }
                guard index < shows.count else { return }
                do {
                    let result = try LiveShowResult(shows[index])
                    if let problem = result.problem { print("\(shows[index].subject.name): \(problem)") }
                    lock.withLock { results[index] = result }
                } catch {
                    lock.withLock { failure = error }
                    return
                }
            }
        }
        if let failure { throw failure }
        return results.compactMap(\.self)
    }
}
