import ScanCore

/// What observers of the capture controller are told, in order.
public enum CaptureNotice: Hashable, Sendable {
    case state(CameraState)
    case runStarted(UInt64)
    case runEnded(UInt64, CaptureRunEnd)
    /// A run was cut off and recovery is under way.
    case interrupted(CameraFailure)
    case interruptionEnded
    /// Frames are being delivered that were exposed after the viewport came into force.
    case cameraIsReady
    /// Something went wrong that is no state: a damaged picture, a control that was refused.
    case fault(String)
    /// Recovery failed many times in a row; only a new process may help. Attempts go on.
    case recoveryExhausted(CameraFailure)
    /// This many notices were lost here, as their reader was too slow: ask for the state.
    case missed(Int)
}

/// Why a capture run ended.
public typealias CaptureRunEnd = CameraMachine.RunEnd

/// One line for the log; the station adds where it goes.
public struct CaptureLogLine: Hashable, Sendable, CustomStringConvertible {
    public enum Level: String, Hashable, Sendable {
        case debug, info, warning, error
    }

    public var level: Level
    public var text: String

    public init(_ level: Level, _ text: String) {
        self.level = level
        self.text = text
    }

    public var description: String { "\(level.rawValue): \(text)" }
}

/// What a watchdog looks at without waiting for the camera.
public struct CaptureProgress: Hashable, Sendable {
    public var framesDelivered: UInt64
    /// After so long without a frame the controller says that the camera doesn't deliver.
    public var frameTimeout: Duration
}

/// The figures of the capture controller at one moment.
public struct CaptureReport: Hashable, Sendable {
    public var state: CameraState
    public var camera: CameraIdentity?
    public var granted: GrantedSettings?
    public var skipped: [SkippedSetting] = []
    public var run: UInt64?
    public var framesDelivered: UInt64 = 0
    /// Gaps in the camera's own count.
    public var framesDropped: UInt64 = 0
    /// Came, and could not be used: cut short on the way, no picture. Each leaves a gap, too.
    public var framesDamaged: UInt64 = 0
    /// Runs that recovery started after an interruption.
    public var restarts: UInt64 = 0
    public var runs: UInt64 = 0
    /// Bytes that camera, ring and readers need as configured, and the budget for them.
    public var memoryNeeded: Int?
    public var memoryBudget: Int
    /// Exposure is being held at the shutter cap.
    public var isShutterCapped = false
    public var newestFrame: FrameInfo?

    public init(state: CameraState, memoryBudget: Int) {
        self.state = state
        self.memoryBudget = memoryBudget
    }
}
