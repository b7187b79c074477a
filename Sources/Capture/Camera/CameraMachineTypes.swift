import Vocabulary

/// The camera machine's events, actions and limits.
extension CameraMachine {
    /// Limits with their defaults; times are intervals on the station's clock.
    package struct Limits: Hashable, Sendable {
        /// A run without a frame for this long has failed.
        package var frameTimeout: Duration = .seconds(2)
        package var retryFirst: Duration = .milliseconds(250)
        package var retryMax: Duration = .seconds(15)
        /// A run that delivered for this long counts as recovered: back-off and escalation start over.
        package var stableAfter: Duration = .seconds(10)
        /// How long a reduced frame rate may try to relieve the system before capture is stopped.
        package var pressurePatience: Duration = .seconds(30)
        /// How many failed runs are answered by just stop and start; later ones also close the camera.
        package var restartsBeforeReopening = 1
        /// Failed attempts in a row after which only a new process may help (`recoveryExhausted`).
        package var attemptsBeforeExhaustion = 10

        package init() {}
    }

    package enum Event: Hashable, Sendable {
        case load
        case start
        case stop
        case suspend
        case resume
        case shutdown
        /// Another camera, or a setting that requires configuring the camera again.
        case reconfigure
        /// Answers to `open` and `startDevice`.
        case opened
        case openFailed(CameraFailure)
        case started
        case startFailed(CameraFailure)
        /// The first frame of a run.
        case firstFrame
        /// The device reports an error of its own; the run is lost.
        case fault(String)
        case disconnected
        case cameraAdded
        /// A scene that doesn't loop was shown to its end.
        case sceneEnded
        case pressure(SystemPressure?)
        case frameTimeout(Duration)
        /// Other back-off; the wait under way stays.
        case backoff(first: Duration, longest: Duration)
        /// The time asked for by `wakeAt`, with the arrival of the newest frame of this run.
        case wake(lastFrame: Instant?)
    }

    /// Why a capture run ended.
    package enum RunEnd: Hashable, Sendable {
        case stopped
        case suspended
        case reconfigured
        case sceneEnded
        case systemPressure(SystemPressure)
        case failed(CameraFailure)
        case shutdown
    }

    package enum Action: Hashable, Sendable {
        case open
        case close
        case startDevice
        case stopDevice
        /// Below the configured frame rate while the system is under pressure.
        case reduceFrameRate(Bool)
        case report(CameraState)
        case runStarted(UInt64)
        case runEnded(UInt64, RunEnd)
        /// A run was cut off; recovery is under way.
        case interrupted(CameraFailure)
        case interruptionEnded
        /// Recovery failed so often that only a new process may help. Attempts go on.
        case recoveryExhausted(CameraFailure)
        /// One timer: replaces the earlier time; `nil` cancels it.
        case wakeAt(Instant?)
    }
}
