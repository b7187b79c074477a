import Vocabulary

/// The clock of libcamera's SensorTimestamp. It is documented as CLOCK_BOOTTIME, but pipelines pass on V4L2's stamps, which are
/// CLOCK_MONOTONIC (libcamera's bug 254). On a machine that was ever suspended, the two may be hours apart, and a frame that seems hours
/// old answers no trigger.
enum SensorClock {
    /// Converts a stamp of either clock to CLOCK_BOOTTIME; never later than `now`, because frames are exposed before they arrive.
    ///
    /// The clocks differ by the time spent suspended, which is far longer than a frame's way here. So a stamp that CLOCK_MONOTONIC hasn't
    /// reached yet is from CLOCK_BOOTTIME. If the machine was never suspended, it makes no difference.
    static func instant(of stamp: Int64, now: Instant, monotonicNow: Int64) -> Instant {
        if stamp <= monotonicNow { return Instant(nanoseconds: now.nanoseconds - (monotonicNow - stamp)) }
        return min(Instant(nanoseconds: stamp), now)
    }
}
