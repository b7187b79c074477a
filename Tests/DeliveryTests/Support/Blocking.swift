import Dispatch

/// Runs blocking calls of a test on a thread of their own, not on the cooperative pool, which has as few threads as the
/// machine has cores.
func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { done in
        DispatchQueue(label: "blocking").async { done.resume(returning: body()) }
    }
}
