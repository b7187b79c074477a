import Glibc
import Linux
import Vocabulary

/// A limit that only a broken program reaches.
private let patience: Duration = .seconds(300)

/// Waits until a descriptor is ready: `false` when that takes longer than only a broken program would, or when the task is cancelled, as
/// when a test's time is over.
package func becomesReady(_ descriptor: Int32, _ events: Int32 = POLLIN) async -> Bool {
    guard descriptor >= 0 else { return false }
    if isReady(descriptor, events) { return true }
    let cancellation = Waker()
    return await withTaskCancellationHandler {
        await blocking {
            var polled = [pollfd(descriptor, events), pollfd(cancellation.descriptor)]
            return anyIsReady(&polled, until: Instant.now.advanced(by: patience)) && polled[0].revents != 0
        }
    } onCancel: {
        cancellation.wake()
    }
}
