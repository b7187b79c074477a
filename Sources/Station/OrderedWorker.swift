/// Performs jobs one after the other, in the order in which they were handed over, away from whoever hands them over.
///
/// The scan loop must not wait for a camera that takes its time to stop; but "stop" must not overtake "start" either.
package final class OrderedWorker: Sendable {
    package typealias Job = @Sendable () async -> Void

    private let jobs: AsyncStream<Job>.Continuation
    private let loop: Task<Void, Never>

    /// Jobs beyond `limit` waiting ones are refused: `submit` says so.
    package init(limit: Int = 256) {
        let (stream, continuation) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(limit))
        jobs = continuation
        loop = Task {
            for await job in stream { await job() }
        }
    }

    @discardableResult
    package func submit(_ job: @escaping Job) -> Bool {
        if case .enqueued = jobs.yield(job) { return true }
        return false
    }

    /// What `job` gives, once all that was handed over before it has been performed. `nil`: refused, as by `submit`.
    @discardableResult
    package func result<Value: Sendable, Failure: Error>(
        of job: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let (results, continuation) = AsyncStream.makeStream(of: Result<Value, Failure>.self)
        let isTaken = submit {
            do throws(Failure) {
                continuation.yield(.success(try await job()))
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        guard isTaken else { return nil }
        for await result in results { return try result.get() }
        return nil
    }

    /// Performs what was handed over before, then ends.
    package func finish() async {
        jobs.finish()
        await loop.value
    }
}
