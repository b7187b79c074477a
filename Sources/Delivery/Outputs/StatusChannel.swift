import Synchronization
import Wire

/// Keeps an output's status and pushes its changes to the one consumer of `stream`.
final class StatusChannel: Sendable {
    /// How many changes wait for a slow consumer; then older ones are dropped, but the current status always gets through.
    private static let bufferedChanges = 16

    let stream: AsyncStream<OutputStatus>
    private let continuation: AsyncStream<OutputStatus>.Continuation
    private let status = Mutex(OutputStatus(.idle))

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.bufferedChanges))
        continuation.yield(OutputStatus(.idle))
    }

    deinit { continuation.finish() }

    var current: OutputStatus { status.withLock { $0 } }

    /// Equal statuses aren't repeated.
    func set(_ state: OutputState, detail: String? = nil) {
        let new = OutputStatus(state, detail: detail)
        let isChange = status.withLock { status in
            defer { status = new }
            return status != new
        }
        if isChange { continuation.yield(new) }
    }
}
