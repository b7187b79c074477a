import CLinux

/// Seconds on CLOCK_BOOTTIME: the clock of the station's frames.
enum Clock {
    static var now: Double { Double(CLinux_boottime_ns()) / 1e9 }
}
