import Vocabulary

/// The observers and streams of one actor. A value that the actor keeps; it calls the observers itself, one look-up each, so
/// that one may cancel itself meanwhile.
struct Broadcast<Value: Sendable>: Sendable {
    /// Values that wait for a slow reader of a stream.
    private static var limit: Int { 16 }

    var observers = ObserverRegistry<Value>()
    private var streams = StreamRegistry<Value>()

    /// A stream that begins with `value`.
    mutating func stream(startingWith value: Value) -> AsyncStream<Value> {
        streams.stream(limit: Self.limit, startingWith: value)
    }

    mutating func yield(_ value: Value) { streams.yield(value) }

    mutating func finish() { streams.finish() }
}
