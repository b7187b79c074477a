import Capture
import Reading

/// What the watchdog expects of the station's parts, and what they have done; `StationHealth` counts.
struct StationDuties {
    /// Results that came out of the readers, and their other notices.
    var readerSigns: UInt64 = 0
    /// Commits that came back, with whatever outcome.
    var commits: UInt64 = 0
    private var framesOwed: UInt64 = 0
    private var commitsOwed: UInt64 = 0
    private var looksWithoutReaders: UInt64 = 0

    /// In addition to the camera's own time-out for a frame, after which it reports that no frame came.
    static let cameraSlack: Duration = .seconds(5)
    /// In addition to the deadline for a frame. A reader process may take 10 s to be ready (a Zero 2 W with a cold card), after up to 5 s
    /// of back-off.
    static let readerSlack: Duration = .seconds(20)
    /// SD cards stall for many seconds and go on; a commit that takes this long never comes back.
    static let journalPatience: Duration = .seconds(120)

    /// - Parameters:
    ///   - isRunning: the camera's state promises frames, and no call into it is under way: `capture.hangLimit` deals with a call that
    ///     hangs.
    mutating func camera(isRunning: Bool, _ progress: CaptureProgress) -> WatchdogLook.Duty {
        if isRunning { framesOwed += 1 }
        return WatchdogLook.Duty(
            part: "camera", given: framesOwed, done: progress.framesDelivered,
            patience: progress.frameTimeout + Self.cameraSlack)
    }

    func readers(_ counters: ReaderCounters, deadline: Duration) -> WatchdogLook.Duty {
        let losses = counters.crashed + counters.timedOut + counters.workerRestarts + counters.refused
        return WatchdogLook.Duty(
            part: "readers", given: counters.delivered, done: readerSigns + losses,
            patience: deadline + Self.readerSlack)
    }

    /// Readers that didn't start. A version on trial stands still with them: the watchdog ends it, and the version before it gets its turn.
    mutating func missingReaders() -> WatchdogLook.Duty {
        looksWithoutReaders += 1
        return WatchdogLook.Duty(part: "readers", given: looksWithoutReaders, done: 0, patience: Self.readerSlack)
    }

    /// - Parameter isWaiting: scans are on their way to the disk.
    mutating func journal(isWaiting: Bool) -> WatchdogLook.Duty {
        if isWaiting { commitsOwed += 1 }
        return WatchdogLook.Duty(
            part: "journal", given: commitsOwed, done: commits, patience: Self.journalPatience)
    }
}
