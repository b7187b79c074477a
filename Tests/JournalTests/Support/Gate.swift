import Dispatch
import TestSupport

/// Holds the writer's thread in a commit until the test releases it.
final class Gate: Sendable {
    private let isReached = Observed(false)
    private let released = DispatchSemaphore(value: 0)

    func wait() {
        isReached.change { $0 = true }
        released.wait()
    }

    /// Returns when somebody waits.
    func reached() async { await isReached.wait { $0 } }

    func open() { released.signal() }
}
