import Glibc
import Synchronization
import Vocabulary

/// Observers of something that isn't an actor. Notices are delivered one after another, and observers are called in the order in which they
/// were added.
///
/// When `cancel` returns, the observer isn't running and won't be called any more. An observer may cancel itself, or cause more notices,
/// which follow the current one. Observers must be quick: they run in the thread that posts.
final class OrderedObservers<Notice: Sendable>: @unchecked Sendable {
    private struct Shared: Sendable {
        var registry = ObserverRegistry<Notice>()
        var streams: [UInt64: Sink] = [:]
        var nextStream: UInt64 = 0
        var waiting: [Notice] = []
    }

    /// A stream's inner end, and what didn't fit into it.
    private struct Sink: Sendable {
        let continuation: AsyncStream<Notice>.Continuation
        let missed: Missed

        func yield(_ notice: Notice) {
            if case .dropped = continuation.yield(notice) { missed.count.withLock { $0 += 1 } }
        }
    }

    private final class Missed: Sendable {
        let count = Mutex(0)
    }

    private let shared = Mutex(Shared())
    /// Held while observers run, so that `cancel` can wait for them; recursive, so that an observer may cancel itself.
    private let delivery: UnsafeMutablePointer<pthread_mutex_t>
    /// Guarded by `delivery`.
    private var isDelivering = false

    init() {
        delivery = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        pthread_mutex_init(delivery, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        for stream in shared.withLock({ Array($0.streams.values) }) { stream.continuation.finish() }
        pthread_mutex_destroy(delivery)
        delivery.deallocate()
    }

    func add(_ callback: @escaping @Sendable (Notice) -> Void) -> ObserverToken {
        shared.withLock { $0.registry.add(callback) }
    }

    func cancel(_ token: ObserverToken) {
        shared.withLock { $0.registry.cancel(token) }
        // Waits for a call under way, unless the observer cancels itself.
        pthread_mutex_lock(delivery)
        pthread_mutex_unlock(delivery)
    }

    /// For one reader. When it is slow, the oldest notices are dropped; `missed` makes a notice about them, which the reader gets before
    /// the next one. Without `missed`, the notices themselves must show that some are missing.
    func stream(limit: Int, missed notice: (@Sendable (Int) -> Notice)? = nil) -> AsyncStream<Notice> {
        let (stream, continuation) = AsyncStream.makeStream(of: Notice.self, bufferingPolicy: .bufferingNewest(limit))
        let missed = Missed()
        let id = shared.withLock { shared in
            defer { shared.nextStream += 1 }
            shared.streams[shared.nextStream] = Sink(continuation: continuation, missed: missed)
            return shared.nextStream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.shared.withLock { $0.streams.removeValue(forKey: id) }
        }
        guard let notice else { return stream }
        return AsyncStream {
            let count = missed.count.withLock { count in
                defer { count = 0 }
                return count
            }
            if count > 0 { return notice(count) }
            for await element in stream { return element }
            return nil
        }
    }

    /// Queues a notice without calling anybody: for callers that hold a lock; they call `deliver` once they don't.
    func enqueue(_ notice: Notice) {
        shared.withLock { shared in
            shared.waiting.append(notice)
            for stream in shared.streams.values { stream.yield(notice) }
        }
    }

    func post(_ notice: Notice) {
        enqueue(notice)
        deliver()
    }

    func deliver() {
        pthread_mutex_lock(delivery)
        defer { pthread_mutex_unlock(delivery) }
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while let (notice, tokens) = next() {
            for token in tokens {
                let callback = shared.withLock { $0.registry.callback(for: token) }
                callback?(notice)
            }
        }
    }

    private func next() -> (Notice, [ObserverToken])? {
        shared.withLock { shared in
            shared.waiting.isEmpty ? nil : (shared.waiting.removeFirst(), shared.registry.tokens)
        }
    }
}
