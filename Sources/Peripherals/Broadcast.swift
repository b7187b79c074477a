import Vocabulary

/// The observers and streams of one actor. A value that the actor keeps; it calls the observers itself, one look-up each, so
/// that one may cancel itself meanwhile.
struct Broadcast<Value: Sendable>: Sendable {
    var observers = ObserverRegistry<Value>()
    private var streams: [AsyncStream<Value>.Continuation] = []

    /// A stream that begins with `value`; the newest `limit` are kept for a slow reader.
    mutating func stream(startingWith value: Value, limit: Int = 16) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(limit))
        continuation.yield(value)
        streams.append(continuation)
        return stream
    }

    mutating func yield(_ value: Value) {
        streams.removeAll { stream in
            if case .terminated = stream.yield(value) { true } else { false }
        }
    }

    mutating func finish() {
        for stream in streams { stream.finish() }
        streams = []
    }
}
