import Linux
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
        task = Task.at(moment, tolerance: .milliseconds(1)) { [weak station] in await station?.run(call) }
    }
}
