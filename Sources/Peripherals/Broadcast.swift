import Vocabulary

/// The observers and streams of one actor. The actor keeps this value and calls the observers itself, looking each one up, so that an
/// observer may cancel itself meanwhile.
struct Broadcast<Value: Sendable>: Sendable {
    /// How many values wait for a slow reader of a stream.
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
