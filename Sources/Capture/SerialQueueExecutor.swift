import Dispatch

/// A serial executor on a thread pool of its own: device calls block for hundreds of milliseconds (or for ever, after a cable
/// fault), and the cooperative pool has one thread a core. `DispatchSerialQueue` is missing on Linux, hence this.
final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
