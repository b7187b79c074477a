/// The first value that a callback gets; `nil` when the task is cancelled earlier, as when a test's time is over.
package func callback<Value: Sendable>(_ start: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value? {
    let (values, sink) = AsyncStream<Value>.makeStream()
    start { sink.yield($0) }
    return await values.first { _ in true }
}
