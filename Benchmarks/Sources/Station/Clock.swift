import Glibc

/// Seconds on CLOCK_BOOTTIME: the clock of the station's frames.
enum Clock {
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
