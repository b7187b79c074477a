import Synchronization

/// State that tests wait on. A wait ends when the condition holds, or when the waiting task is cancelled, as when a test's time is over.
package final class Observed<State: Sendable>: Sendable {
    private struct Waiter {
        var id: UInt64
        var condition: @Sendable (State) -> Bool
        var done: CheckedContinuation<Bool, Never>
    }

    private struct Content {
        var state: State
        var waiters: [Waiter] = []
        var lastID: UInt64 = 0
    }

    private let content: Mutex<Content>

    package init(_ state: State) { content = Mutex(Content(state: state)) }

    package var value: State { content.withLock(\.state) }

    @discardableResult
    package func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, ready) = content.withLock { content in
            let result = body(&content.state)
            let state = content.state
            let ready = content.waiters.filter { $0.condition(state) }
            content.waiters.removeAll { waiter in ready.contains { $0.id == waiter.id } }
            return (result, ready.map(\.done))
        }
        for done in ready { done.resume(returning: true) }
        return result
    }

    /// Returns at once if the condition holds; `false`: the task was cancelled.
    @discardableResult
    package func wait(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        let id = content.withLock { content in
            content.lastID += 1
            return content.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { done in
                let answer: Bool? = content.withLock { content in
                    if condition(content.state) { return true }
                    // Cancelled from here on: the handler finds the waiter.
                    if Task.isCancelled { return false }
                    content.waiters.append(Waiter(id: id, condition: condition, done: done))
                    return nil
                }
                if let answer { done.resume(returning: answer) }
            }
        } onCancel: {
            let done = content.withLock { content in
                let done = content.waiters.first { $0.id == id }?.done
                content.waiters.removeAll { $0.id == id }
                return done
            }
            done?.resume(returning: false)
        }
    }
}
