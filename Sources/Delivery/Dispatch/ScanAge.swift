import Linux
import Vocabulary
import Wire

/// How old a scan, or another event, is when its turn comes.
enum ScanAge {
    /// Time since the scan was accepted: by the boot clock if it is from this boot, else by the wall clock if that was right then and is
    /// right now. `nil`: unknown, which counts as too old, because nothing old may take effect late.
    static func of(_ event: Event, _ scan: Scan, on clock: MachineClock) -> Duration? {
        if event.stamp.boot == clock.boot { return max(.zero, scan.acceptedAt.duration(to: clock.now)) }
        guard event.stamp.isClockSynced, clock.isSynced else { return nil }
        return wallAge(event, on: clock)
    }

    /// The same for any event. Events other than scans are never older than the process, and only their wall time is known: if the clock
    /// was set since then, they count as too old.
    static func of(_ event: Event, on clock: MachineClock) -> Duration? {
        if case .scan(let body) = event.body { return of(event, body.scan, on: clock) }
        guard event.stamp.boot == clock.boot, event.stamp.isClockSynced == clock.isSynced else { return nil }
        return wallAge(event, on: clock)
    }

    private static func wallAge(_ event: Event, on clock: MachineClock) -> Duration? {
        let (nanoseconds, overflow) = clock.wallNanoseconds.subtractingReportingOverflow(event.stamp.wallNanoseconds)
        // An event from the future: one of the two times is wrong after all.
        guard !overflow, nanoseconds >= 0 else { return nil }
        return .nanoseconds(nanoseconds)
    }

    /// Why a scan comes too late for a live output; `nil` if it doesn't.
    static func problem(_ event: Event, maxAge: Duration, on clock: MachineClock) -> String? {
        guard case .scan(let body) = event.body else { return nil }
        guard let age = of(event, body.scan, on: clock) else {
            return "its age isn't known: it is from before a restart, and the clock wasn't synchronised"
        }
        guard age > maxAge else { return nil }
        return "\(seconds(age)) s old when its turn came: more than maxAge, \(seconds(maxAge)) s"
    }

    private static func seconds(_ duration: Duration) -> Double { (duration.milliseconds / 100).rounded() / 10 }
}
