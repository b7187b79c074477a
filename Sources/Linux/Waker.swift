import CLinux
import Glibc

/// Wakes a thread that waits: in poll(2), or here until a time has come, by the monotonic clock, whatever happens to the wall clock (on
/// Linux, libdispatch's timed waits follow that one).
package final class Waker: Sendable {
    /// What to poll for POLLIN. Negative when the process was out of descriptors: then nothing wakes, and waits here end at once, or when
    /// their time comes.
    package let descriptor = CLinux_eventfd()

    package init() {}

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Why it can't wake anybody; `nil`: it can.
    package var failure: SystemError? { descriptor < 0 ? SystemError(-descriptor) : nil }

    /// Ends the wait under way, or the next one. From any thread.
    package func wake() { if descriptor >= 0 { CLinux_eventfd_signal(descriptor) } }

    /// Forgets that it was woken; says whether it was.
    @discardableResult
    package func clear() -> Bool {
        guard descriptor >= 0 else { return false }
        var count: UInt64 = 0
        return read(descriptor, &count, 8) == 8
    }

    /// Clears it, too.
    /// - Parameter deadline: CLOCK_MONOTONIC, nanoseconds; `nil`: until it is woken.
    /// - Returns: `false` when the time has come.
    @discardableResult
    package func wait(untilMonotonic deadline: Int64? = nil) -> Bool {
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let (left, isTooMuch) = deadline.subtractingReportingOverflow(MonotonicClock.nanoseconds)
                guard left > 0, !isTooMuch else { return clear() }
                milliseconds = Int32(clamping: (left - 1) / 1_000_000 + 1)
            }
            var polled = pollfd(descriptor)
            let ready = poll(&polled, 1, milliseconds)
            // The kernel has waited that long, whatever the clock says now.
            if ready > 0 || ready == 0 && milliseconds >= 0 && milliseconds < .max { return clear() }
            if descriptor < 0, deadline == nil { return false }
        }
    }
}
