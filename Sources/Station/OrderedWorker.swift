/// Performs jobs one after the other, in the order in which they were handed over, away from whoever hands them over.
///
/// The scan loop must not wait for a camera that takes its time to stop; but "stop" must not overtake "start" either.
public final class OrderedWorker: Sendable {
    public typealias Job = @Sendable () async -> Void

    private let jobs: AsyncStream<Job>.Continuation
    private let loop: Task<Void, Never>

    /// Jobs beyond `limit` waiting ones are refused: `submit` says so.
    public init(limit: Int = 256) {
        let (stream, continuation) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(limit))
        jobs = continuation
        loop = Task {
            for await job in stream { await job() }
        }
    }

    @discardableResult
    public func submit(_ job: @escaping Job) -> Bool {
        if case .enqueued = jobs.yield(job) { return true }
        return false
    }

    /// Performs what was handed over before, then ends.
    public func finish() async {
        jobs.finish()
        await loop.value
    }
}
