import Vocabulary

/// One timer that calls back at a moment of the boot clock; setting it again replaces the moment.
struct WakeTimer {
    private var task: Task<Void, Never>?

    mutating func cancel() {
        task?.cancel()
        task = nil
    }

    /// `nil`: no call any more.
    mutating func set(at moment: Instant?, now: Instant, _ call: @escaping @Sendable () async -> Void) {
        cancel()
        guard let moment else { return }
        let wait = max(.zero, now.duration(to: moment))
        task = Task {
            guard (try? await Task.sleep(for: wait, tolerance: .milliseconds(1), clock: .continuous)) != nil else {
                return
            }
            await call()
        }
    }
}
