import Synchronization

/// Tells a part what to do: one job after another, in order, without holding up the caller.
///
/// The scan loop must not wait for a camera that is slow to stop; but "stop" must not overtake "start" either. A part that is stuck takes
/// no more jobs: what doesn't fit is refused and counted.
final class OrderedWorker<Part: Sendable>: Sendable {
    typealias Job = @Sendable (Part) async -> Void

    private let jobs: AsyncStream<Job>.Continuation
    private let loop: Task<Void, Never>
    private let refused = Atomic<UInt64>(0)

    /// - Parameter limit: how many jobs may wait before more are refused.
    init(_ part: Part, limit: Int = 256) {
        let (stream, continuation) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(limit))
        jobs = continuation
        loop = Task {
            for await job in stream { await job(part) }
        }
    }

    /// Jobs that found no room.
    var dropped: UInt64 { refused.load(ordering: .relaxed) }

    /// `false`: refused.
    @discardableResult
    func submit(_ job: @escaping Job) -> Bool {
        switch jobs.yield(job) {
        case .enqueued: return true
        case .dropped: refused.add(1, ordering: .relaxed)
        // Nobody misses what comes after the end.
        case .terminated: break
        @unknown default: break
        }
        return false
    }

    /// The result of `job`, which runs after everything handed over before it. `nil`: refused, as by `submit`.
    @discardableResult
    func result<Value: Sendable, Failure: Error>(
        of job: @escaping @Sendable (Part) async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        let (results, continuation) = AsyncStream.makeStream(of: Result<Value, Failure>.self)
        let isTaken = submit { part in
            do throws(Failure) {
                continuation.yield(.success(try await job(part)))
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        guard isTaken else { return nil }
        for await result in results { return try result.get() }
        return nil
    }

    /// Performs what was handed over so far, then ends.
    func finish() async {
        jobs.finish()
        await loop.value
    }
}
