import Vocabulary

/// One timer that calls the scan loop back at a moment of the boot clock; setting it again replaces the moment.
struct WakeTimer {
    private var task: Task<Void, Never>?

    mutating func cancel() {
        task?.cancel()
        task = nil
    }

    /// `nil`: no call any more.
    mutating func set(
        at moment: Instant?, in station: isolated Station, _ call: @escaping @Sendable (isolated Station) async -> Void
    ) {
        cancel()
        guard let moment else { return }
        let wait = max(.zero, station.clock.now.duration(to: moment))
        task = Task { [weak station] in
            guard (try? await Task.sleep(for: wait, tolerance: .milliseconds(1), clock: .continuous)) != nil else {
                return
            }
            await station?.run(call)
        }
    }
}
