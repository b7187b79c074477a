import Synchronization

/// The result of `operation`, or `nil` if it takes longer than `limit`. It is then cancelled, but not waited for, so that one that hangs in
/// a device can't hold up the caller.
package func withTimeLimit<Result: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async -> Result
) async -> Result? {
    await withCheckedContinuation { continuation in
        let answer = OneAnswer(continuation)
        let work = Task { answer.give(await operation()) }
        let timer = Task {
            do { try await Task.sleep(for: limit) } catch { return }
            work.cancel()
            answer.give(nil)
        }
        Task {
            await work.value
            timer.cancel()
        }
    }
}

/// Resumes a continuation with the first answer only.
private final class OneAnswer<Result: Sendable>: Sendable {
    private let waiter: Mutex<CheckedContinuation<Result?, Never>?>

    init(_ waiter: CheckedContinuation<Result?, Never>) { self.waiter = Mutex(waiter) }

    func give(_ result: Result?) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?.resume(returning: result)
    }
}
