/// What a callback is given first; `nil` when the task is cancelled before, as a test's is whose time is over.
package func callback<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value? {
    let (values, sink) = AsyncStream<Value>.makeStream()
    start { sink.yield($0) }
    return await values.first { _ in true }
}
