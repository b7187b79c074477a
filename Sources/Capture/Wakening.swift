import CLinux
import Glibc
import Linux

/// A thread waits here until another one wakes it or a time has come, by the monotonic clock, whatever happens to the wall clock (on Linux,
/// libdispatch's timed waits follow that one).
final class Wakening: Sendable {
    /// Negative when the system has no descriptors left: then waits end at once, or when their time comes.
    private let descriptor = CLinux_eventfd()

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ends the wait under way, or the next one.
    func wake() { if descriptor >= 0 { CLinux_eventfd_signal(descriptor) } }

    /// `nil`: until it is woken. `false` when the time (CLOCK_MONOTONIC, nanoseconds) has come.
    @discardableResult
    func wait(untilMonotonic deadline: Int64? = nil) -> Bool {
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let (left, isTooMuch) = deadline.subtractingReportingOverflow(MonotonicClock.nanoseconds)
                guard left > 0, !isTooMuch else { return drain() }
                milliseconds = Int32(clamping: (left - 1) / 1_000_000 + 1)
            }
            var polled = pollfd(descriptor)
            let ready = poll(&polled, 1, milliseconds)
            // The kernel has waited that long, whatever the clock says now.
            if ready > 0 || ready == 0 && milliseconds >= 0 && milliseconds < .max { return drain() }
            if descriptor < 0, deadline == nil { return false }
        }
    }

    /// Forgets that it was woken; says whether it was.
    @discardableResult
    func drain() -> Bool {
        guard descriptor >= 0 else { return false }
        guard isReady(descriptor) else { return false }
        CLinux_eventfd_drain(descriptor)
        return true
    }
}
