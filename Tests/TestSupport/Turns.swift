/// Gives its turn to the others until it is so, or the task is cancelled, as a test's is whose time is over.
package func turns(until condition: () async throws -> Bool) async rethrows {
    while !Task.isCancelled, !(try await condition()) { await Task.yield() }
}
