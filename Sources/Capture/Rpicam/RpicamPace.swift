import Vocabulary

/// Which of the program's frames are passed on, and when each was exposed.
struct RpicamPace: Sendable {
    struct Place: Hashable, Sendable {
        var sequence: UInt64
        var exposedAt: Instant
    }

    /// If the program gives no timestamps, a frame counts as exposed this many frame intervals before its first byte came: one for exposure
    /// and read-out, one for the image processor, one for the program's queue. Better too many than too few: a frame that seems too old
    /// costs a session a moment; one that seems too young could answer a trigger that came after it.
    static let intervalsOnTheWay = 3
    /// A frame that is older than this is left out if the next one is already waiting.
    static let staleIntervals = 4

    private var interval: Duration = .milliseconds(33)
    private var sequence: UInt64 = 0
    private var lastDelivered: Instant?
    private var hasLeftOut = false

    /// - Parameter cameraRate: frames a second.
    mutating func begin(cameraRate: Double) {
        interval = .seconds(1 / max(cameraRate, CaptureController.lowestFrameRate))
        lastDelivered = nil
        hasLeftOut = false
    }

    /// `nil`: the frame isn't passed on.
    /// - Parameters:
    ///   - stamp: the sensor's, on CLOCK_BOOTTIME; `nil`: unknown.
    ///   - begunAt: when its first byte came.
    ///   - isBehind: bytes of the next frame are waiting.
    ///   - frameRate: of the frames that are passed on; below the camera's while the station idles slowly.
    mutating func frame(
        stamp: Instant?, begunAt: Instant, now: Instant, isBehind: Bool, frameRate: Double
    ) -> Place? {
        let exposedAt = stamp ?? begunAt.advanced(by: interval * -Self.intervalsOnTheWay)
        let isStale = stamp.map { $0.duration(to: now) > interval * Self.staleIntervals } ?? false
        // Never two in a row: a machine that is always behind has only late frames.
        if isStale, isBehind, !hasLeftOut {
            hasLeftOut = true
            sequence += 1
            return nil
        }
        hasLeftOut = false
        // A tolerance of one tenth, because cameras don't keep time exactly.
        let wait: Duration = .seconds(0.9 / max(frameRate, CaptureController.lowestFrameRate))
        if frameRate < 1 / interval.inSeconds * 0.9, let lastDelivered, lastDelivered.duration(to: exposedAt) < wait {
            return nil
        }
        lastDelivered = exposedAt
        defer { sequence += 1 }
        return Place(sequence: sequence, exposedAt: exposedAt)
    }
}

extension Duration {
    fileprivate var inSeconds: Double { milliseconds / 1000 }
}
