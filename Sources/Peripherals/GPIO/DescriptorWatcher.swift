import Glibc
import Linux
import Synchronization

/// A thread that waits for a descriptor to become readable. Only buttons use it, so there are at most two.
///
/// A dispatch source would do the same with less code, but it doesn't report a hang-up of the descriptor, and that is how the kernel says
/// that a GPIO chip was unplugged.
final class DescriptorWatcher: Sendable {
    /// What the thread needs. It must not keep the watcher alive, or the watcher would never be dropped.
    private final class Job: Sendable {
        let descriptor: Int32
        let end: Waker
        let onReadable: @Sendable () -> Bool
        let onEnd: @Sendable () -> Void

        init(
            descriptor: Int32, end: Waker, onReadable: @escaping @Sendable () -> Bool,
            onEnd: @escaping @Sendable () -> Void
        ) {
            self.descriptor = descriptor
            self.end = end
            self.onReadable = onReadable
            self.onEnd = onEnd
        }

        func run() {
            let readable = Int16(POLLIN) | Int16(POLLPRI)
            var descriptors = [pollfd(descriptor, POLLIN | POLLPRI), pollfd(end.descriptor)]
            while true {
                if !anyIsReady(&descriptors) || descriptors[1].revents != 0 { break }
                let events = descriptors[0].revents
                if events & readable != 0, !onReadable() { break }
                if events & readable == 0, events != 0 { break }
            }
            onEnd()
        }
    }

    private struct Thread: @unchecked Sendable {
        // A thread's id may be used from any thread.
        var id: pthread_t
        var end: Waker
    }

    private let thread: Mutex<Thread?>

    /// - Parameters:
    ///   - descriptor: owned by the caller; it must stay open until `stop` returns.
    ///   - onReadable: called on the watching thread; `false` ends the watch.
    ///   - onEnd: called once, when the watch ends by itself, by `stop`, or because it can't begin.
    init(
        descriptor: Int32, onReadable: @escaping @Sendable () -> Bool, onEnd: @escaping @Sendable () -> Void
    ) {
        let end = Waker()
        guard end.failure == nil else {
            thread = Mutex(nil)
            onEnd()
            return
        }
        let job = Job(descriptor: descriptor, end: end, onReadable: onReadable, onEnd: onEnd)
        var id = pthread_t()
        let retained = Unmanaged.passRetained(job)
        let status = pthread_create(&id, nil, Self.main, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            thread = Mutex(nil)
            onEnd()
            return
        }
        thread = Mutex(Thread(id: id, end: end))
    }

    deinit { stop() }

    /// Ends the watch and waits until its thread is done. Don't call it from `onReadable` or `onEnd`.
    func stop() {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        guard let running else { return }
        running.end.wake()
        pthread_join(running.id, nil)
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().run() }
        return nil
    }
}
