import TestSupport

/// Collects values from any thread, in order, and lets a test wait for one without polling.
final class Recorder<Value: Sendable>: Sendable {
    private let state = Observed<[Value]>([])

    var values: [Value] { state.value }

    func add(_ value: Value) { state.change { $0.append(value) } }

    /// All values so far, once `condition` holds for them, or the test's time is over.
    @discardableResult
    func wait(until condition: @escaping @Sendable ([Value]) -> Bool) async -> [Value] {
        await state.wait(until: condition)
        return values
    }

    @discardableResult
    func wait(count: Int) async -> [Value] { await wait { $0.count >= count } }
}

extension Recorder where Value: Equatable {
    @discardableResult
    func wait(for value: Value) async -> [Value] { await wait { $0.contains(value) } }
}
