/// Yields until the condition holds, or the task is cancelled, as when a test's time is over.
package func turns(until condition: () async throws -> Bool) async rethrows {
    while !Task.isCancelled, !(try await condition()) { await Task.yield() }
}
