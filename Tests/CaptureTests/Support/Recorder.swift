import Synchronization

/// Collects values from any thread, in order, and lets a test wait for one without polling.
final class Recorder<Value: Sendable>: Sendable {
    private struct Waiter {
        var condition: @Sendable ([Value]) -> Bool
        var continuation: CheckedContinuation<[Value], Never>
    }

    private struct State {
        var values: [Value] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    var values: [Value] { state.withLock { $0.values } }

    func add(_ value: Value) {
        let (ready, values) = state.withLock { state in
            state.values.append(value)
            let values = state.values
            let ready = state.waiters.filter { $0.condition(values) }
            state.waiters.removeAll { $0.condition(values) }
            return (ready, values)
        }
        for waiter in ready { waiter.continuation.resume(returning: values) }
    }

    /// All values so far, once `condition` holds for them.
    @discardableResult
    func wait(until condition: @escaping @Sendable ([Value]) -> Bool) async -> [Value] {
        await withCheckedContinuation { continuation in
            let done = state.withLock { state -> [Value]? in
                if condition(state.values) { return state.values }
                state.waiters.append(Waiter(condition: condition, continuation: continuation))
                return nil
            }
            if let done { continuation.resume(returning: done) }
        }
    }

    @discardableResult
    func wait(count: Int) async -> [Value] { await wait { $0.count >= count } }
}

extension Recorder where Value: Equatable {
    @discardableResult
    func wait(for value: Value) async -> [Value] { await wait { $0.contains(value) } }
}
