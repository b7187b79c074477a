import Dispatch

/// Holds the writer's thread in a commit until the test lets it go.
final class Gate: Sendable {
    private let arrived = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    func wait() {
        arrived.signal()
        released.wait()
    }

    /// Returns when somebody waits.
    func reached() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.arrived.wait()
                continuation.resume()
            }
        }
    }

    func open() { released.signal() }
}
