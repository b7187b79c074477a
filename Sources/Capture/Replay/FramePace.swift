/// When frames are due, at absolute times of a clock, so that nothing drifts.
///
/// The wait for a frame is never longer than its interval, even if the clock goes back: the kernel's monotonic clock doesn't, but something
/// that pretends to be it may (libfaketime, a restored process).
struct FramePace: Hashable, Sendable {
    /// Nanoseconds. The last frame's time.
    private var last: Int64
    private(set) var due: Int64

    init(now: Int64) { (last, due) = (now, now) }

    /// The next frame is an interval after the last one.
    mutating func next(_ interval: Int64) {
        last = due
        due = last.advanced(clamped: interval)
    }

    /// The frame rate changed, and so did the due time of the next frame.
    mutating func change(_ interval: Int64) { due = last.advanced(clamped: interval) }

    /// When to stop waiting; `nil`: the frame is due.
    mutating func deadline(now: Int64, _ interval: Int64) -> Int64? {
        if due > now.advanced(clamped: interval) { (last, due) = (now, now.advanced(clamped: interval)) }
        return now < due ? due : nil
    }

    /// How many frames are too late to deliver; the next one is on time again.
    mutating func skip(now: Int64, _ interval: Int64) -> UInt64 {
        guard now > due, interval > 0 else { return 0 }
        let (late, isTooMuch) = now.subtractingReportingOverflow(due)
        let frames = (isTooMuch ? Int64.max : late) / interval
        due = due.advanced(clamped: frames * interval)
        return UInt64(frames)
    }
}

extension Int64 {
    fileprivate func advanced(clamped distance: Int64) -> Int64 {
        let (sum, isTooMuch) = addingReportingOverflow(distance)
        return isTooMuch ? (distance < 0 ? .min : .max) : sum
    }
}
