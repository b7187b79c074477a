import Dispatch

/// A serial executor on a thread of libdispatch's pool, for an actor whose calls block: on devices for hundreds of milliseconds (or for
/// ever, after a cable fault), on processes and files. The cooperative pool has only one thread per core, and Linux has no
/// `DispatchSerialQueue`.
package final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String, qos: DispatchQoS = .unspecified) { queue = DispatchQueue(label: label, qos: qos) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
