import Glibc
import Synchronization
import Vocabulary

/// One thread that waits for descriptors and timers, and the executor of the actor that owns them.
///
/// Every output has its own, so that a device that blocks in the kernel (a serial close can) holds up nobody else. Because it is the
/// actor's executor, watchers and timers run isolated to the actor (`assumeIsolated`) without locks or hops. The thread starts with the
/// first job and ends by itself when nothing is left to wait for.
///
/// All signals are blocked on the thread: a write to a closed pipe returns EPIPE whatever the process does with SIGPIPE.
/// poll(2) and not epoll: it takes regular files too (standard output may be one), and there are tens of descriptors at most.
///
/// `@unchecked Sendable`: `watches`, `timers` and `nextID` are touched on the thread only, `shared` is behind its lock.
package final class EventLoop: SerialExecutor, @unchecked Sendable {
    /// How long an idle thread waits for new jobs before it ends, by default.
    package static let defaultLingerMilliseconds: Int32 = 1000
    /// The poll interval if the process has no descriptors left for a waker.
    private static let fallbackInterval: Duration = .milliseconds(20)

    private struct Shared {
        var work: [Work] = []
        /// The running thread; `nil`: none.
        var thread: pthread_t?
    }

    private enum Work {
        case job(UnownedJob)
        case block(@Sendable () -> Void)
    }

    private struct Watch {
        var descriptor: Int32
        var events: Int32
        var handler: (_ ready: Int16) -> Void
    }

    private struct Timer {
        var due: Instant
        var handler: () -> Void
    }

    private let lingerMilliseconds: Int32
    private let shared = Mutex(Shared())
    private let waker = Waker()
    private var watches: [Int: Watch] = [:]
    private var timers: [Int: Timer] = [:]
    private var nextID = 1

    package init(lingerMilliseconds: Int32 = EventLoop.defaultLingerMilliseconds) {
        self.lingerMilliseconds = lingerMilliseconds
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs `block` on the loop's thread, in order with the actor's jobs; spares a `Task` where nothing is awaited.
    package func execute(_ block: @escaping @Sendable () -> Void) { add(.block(block)) }

    private func add(_ work: Work) {
        let mustWake = shared.withLock { shared in
            shared.work.append(work)
            if shared.thread == nil { startThread(&shared) }
            // The thread takes all work at once and looks for more before it waits, so only the first job from outside has to wake it.
            guard shared.work.count == 1, let thread = shared.thread else { return false }
            return pthread_equal(thread, pthread_self()) == 0
        }
        if mustWake { waker.wake() }
    }

    package func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    private var isCurrent: Bool {
        shared.withLock { shared in
            guard let thread = shared.thread else { return false }
            return pthread_equal(thread, pthread_self()) != 0
        }
    }

    // MARK: Watching; on the loop's thread only

    /// Calls `handler` with poll's result whenever one of `events` (POLLIN, POLLOUT; hang-up and error always) is there.
    package func watch(_ descriptor: Int32, events: Int32, handler: @escaping (_ ready: Int16) -> Void) -> Int {
        defer { nextID += 1 }
        watches[nextID] = Watch(descriptor: descriptor, events: events, handler: handler)
        return nextID
    }

    package func setEvents(_ events: Int32, of id: Int) { watches[id]?.events = events }

    /// Watches a listening socket: gives `handler` each connection, non-blocking, or the reason why none can be accepted (the process is
    /// out of descriptors). After a failure it tries again after `pause`: the connection stays in the kernel's queue, and poll would report
    /// it again and again.
    package func accept(
        on listener: Int32, pause: Duration, handler: @escaping (Result<Descriptor, SystemError>) -> Void
    ) -> Int {
        let id = nextID
        return watch(listener, events: POLLIN) { _ in
            // The handler may remove this watch and close the listener.
            while self.watches[id] != nil {
                let number = Glibc.accept(listener, nil, nil)
                let error = SystemError()
                if number >= 0 {
                    let connection = Descriptor(number)
                    connection.makeNonBlocking()
                    handler(.success(connection))
                } else if error.code != EINTR, error.code != ECONNABORTED {
                    guard error.code != EAGAIN else { return }
                    self.setEvents(0, of: id)
                    _ = self.setTimer(at: Instant.now.advanced(by: pause)) { self.setEvents(POLLIN, of: id) }
                    return handler(.failure(error))
                }
            }
        }
    }

    /// Call it before the descriptor is closed.
    package func unwatch(_ id: Int) { watches[id] = nil }

    package func setTimer(at due: Instant, handler: @escaping () -> Void) -> Int {
        defer { nextID += 1 }
        timers[nextID] = Timer(due: due, handler: handler)
        return nextID
    }

    package func cancelTimer(_ id: Int) { timers[id] = nil }

    // MARK: The thread

    private func startThread(_ shared: inout Shared) {
        var everySignal = sigset_t()
        var before = sigset_t()
        sigfillset(&everySignal)
        // The thread inherits the mask, so no signal can slip in before it could block signals itself.
        pthread_sigmask(SIG_SETMASK, &everySignal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, nil, runEventLoop, retained.toOpaque())
        guard status == 0 else {
            // Out of threads: the jobs stay queued, and the next one tries again.
            retained.release()
            return
        }
        pthread_detach(thread)
        shared.thread = thread
    }

    /// Whether there is a thread at the moment.
    package var isRunning: Bool { shared.withLock { $0.thread != nil } }

    fileprivate func run() {
        while true {
            let work = shared.withLock { shared in
                let work = shared.work
                shared.work = []
                return work
            }
            for piece in work {
                switch piece {
                case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
                case .block(let block): block()
                }
            }
            runTimers()
            if !waitAndHandle(), endIfIdle() { return }
        }
    }

    private func runTimers() {
        guard !timers.isEmpty else { return }
        let now = Instant.now
        let due = timers.filter { $0.value.due <= now }.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        // A handler may cancel a later one.
        for (id, timer) in due where timers.removeValue(forKey: id) != nil { timer.handler() }
    }

    /// Waits for something to do and handles descriptors; `false` when nothing came for the linger time.
    private func waitAndHandle() -> Bool {
        if shared.withLock({ !$0.work.isEmpty }) { return true }
        let ids = watches.keys.sorted()
        var polled = ids.compactMap { id in
            watches[id].map { pollfd($0.descriptor, $0.events) }
        }
        polled.append(pollfd(waker.descriptor))
        let isIdle = watches.isEmpty && timers.isEmpty
        guard anyIsReady(&polled, until: deadline(isIdle: isIdle)) else { return !isIdle }
        if polled[ids.count].revents != 0 { waker.clear() }
        for (id, result) in zip(ids, polled) where result.revents != 0 {
            // An earlier handler may have removed this watch.
            watches[id]?.handler(result.revents)
        }
        return true
    }

    /// When to go on if nothing comes; `nil`: not before something does.
    private func deadline(isIdle: Bool) -> Instant? {
        let look = waker.failure.map { _ in Instant.now.advanced(by: Self.fallbackInterval) }
        if isIdle { return look ?? Instant.now.advanced(by: .milliseconds(lingerMilliseconds)) }
        return [timers.values.map(\.due).min(), look].compactMap(\.self).min()
    }

    private func endIfIdle() -> Bool {
        guard watches.isEmpty, timers.isEmpty else { return false }
        return shared.withLock { shared in
            guard shared.work.isEmpty else { return false }
            shared.thread = nil
            return true
        }
    }
}

/// Entry of the loop's thread; takes over the reference that `startThread` retained.
private func runEventLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
