import Dispatch

/// Runs what blocks on a thread of its own: the cooperative pool has as few threads as the machine has cores, and all the other
/// tests need them.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
        DispatchQueue(label: "blocking").async { done.resume(with: Result(catching: body)) }
    }
}
