import CLinux
import Glibc
import Linux

/// A limit that only a broken program reaches.
private let patienceMilliseconds: Int32 = 300_000

/// Waits until a descriptor is ready: `false` when that takes longer than only a broken program would, or when the task is cancelled, as
/// when a test's time is over.
package func becomesReady(_ descriptor: Int32, _ events: Int32 = POLLIN) async -> Bool {
    guard descriptor >= 0 else { return false }
    if isReady(descriptor, events) { return true }
    let cancellation = Descriptor(CLinux_eventfd())
    return await withTaskCancellationHandler {
        await blocking {
            var polled = [pollfd(descriptor, events), pollfd(cancellation.number)]
            return uninterrupted { poll(&polled, 2, patienceMilliseconds) } > 0 && polled[0].revents != 0
        }
    } onCancel: {
        _ = CLinux_eventfd_signal(cancellation.number)
    }
}
