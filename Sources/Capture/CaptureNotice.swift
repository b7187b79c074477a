import Vocabulary

/// What observers of the capture controller get, in order.
package enum CaptureNotice: Hashable, Sendable {
    case state(CameraState)
    case runStarted(UInt64)
    case runEnded(UInt64, CaptureRunEnd)
    /// A run was cut off and recovery is under way.
    case interrupted(CameraFailure)
    case interruptionEnded
    /// Frames are being delivered that were exposed after the viewport came into force.
    case cameraIsReady
    /// Something went wrong that isn't a state: a damaged picture, a control that was refused.
    case fault(String)
    /// Recovery failed many times in a row; only a new process may help. Attempts go on.
    case recoveryExhausted(CameraFailure)
    /// This many notices were lost here, because their reader was too slow: ask for the state.
    case missed(Int)
}

/// Why a capture run ended.
package typealias CaptureRunEnd = CameraMachine.RunEnd

/// One line for the log; the station adds where it goes.
package struct CaptureLogLine: Hashable, Sendable, CustomStringConvertible {
    package enum Level: String, Hashable, Sendable {
        case debug, info, warning, error
    }

    package var level: Level
    package var text: String

    package init(_ level: Level, _ text: String) {
        self.level = level
        self.text = text
    }

    package var description: String { "\(level.rawValue): \(text)" }
}

/// What a watchdog looks at without waiting for the camera.
package struct CaptureProgress: Hashable, Sendable {
    package var framesDelivered: UInt64
    /// After this long without a frame, the controller reports that the camera doesn't deliver.
    package var frameTimeout: Duration
}

/// The figures of the capture controller at one moment.
package struct CaptureReport: Hashable, Sendable {
    package var state: CameraState
    package var camera: CameraIdentity?
    package var granted: GrantedSettings?
    package var skipped: [SkippedSetting] = []
    package var run: UInt64?
    package var framesDelivered: UInt64 = 0
    /// Gaps in the camera's own count.
    package var framesDropped: UInt64 = 0
    /// Frames that came and couldn't be used: cut short on the way, not a picture. Each leaves a gap, too.
    package var framesDamaged: UInt64 = 0
    /// Runs that recovery started after an interruption.
    package var restarts: UInt64 = 0
    package var runs: UInt64 = 0
    /// Bytes that camera, ring and readers need as configured, and the budget for them.
    package var memoryNeeded: Int?
    package var memoryBudget: Int
    /// Exposure is being held at the shutter cap.
    package var isShutterCapped = false
    package var newestFrame: FrameInfo?

    package init(state: CameraState, memoryBudget: Int) {
        self.state = state
        self.memoryBudget = memoryBudget
    }
}
