import Settings

/// Keeps an automatic exposure below the shutter cap. libcamera has no control for that: its "short" profile still allows
/// 20–60 ms, which blurs a code in the hand. So the exposure that comes with each frame decides:
///
/// ```
///              exposure > cap on 2 frames in a row
///   automatic ─────────────────────────────────────▶ capped (shutter fixed at the cap, gain stays automatic)
///       ▲                                               │
///       └───────────────────────────────────────────────┘
///         gain at its minimum on 5 frames (bright again); with a fixed gain: every 90 frames, to look
/// ```
///
/// A camera that reports no exposure is left alone.
package struct ShutterGovernor: Hashable, Sendable {
    /// How many frames must agree before the shutter is capped: the first frames of a run are still settling.
    package static let framesBeforeCapping = 2
    package static let framesBeforeReleasing = 5
    package static let framesBetweenLooks = 90
    /// Gain counts as "at its minimum" up to this factor; drivers round.
    package static let gainTolerance: Float = 1.05

    package private(set) var isCapped = false
    private let cap: Duration
    private let fixedTime: Duration?
    private let hasFixedGain: Bool
    private let minimumGain: Float
    private var agreeing = 0

    /// `minimumGain`: the lowest analogue gain of the camera (1.12 for some sensors).
    package init(settings: ExposureSettings, minimumGain: Float = 1) {
        cap = settings.maxTime
        fixedTime = settings.time
        hasFixedGain = settings.gain != nil
        self.minimumGain = max(minimumGain, 0.01)
    }

    /// The exposure in force.
    package var exposure: CameraControls.Setting<Duration> {
        if let fixedTime { return .fixed(fixedTime) }
        return isCapped ? .fixed(cap) : .automatic
    }

    /// Whether `exposure` changes from now on.
    package mutating func frame(exposure: Duration?, gain: Float?) -> Bool {
        guard fixedTime == nil, let exposure else { return false }
        let wantsChange: Bool
        let needed: Int
        if isCapped {
            wantsChange = hasFixedGain || (gain ?? .infinity) <= minimumGain * Self.gainTolerance
            needed = hasFixedGain ? Self.framesBetweenLooks : Self.framesBeforeReleasing
        } else {
            // A tenth of tolerance: sensors expose whole lines.
            wantsChange = exposure > cap * 11 / 10
            needed = Self.framesBeforeCapping
        }
        agreeing = wantsChange ? agreeing + 1 : 0
        guard agreeing >= needed else { return false }
        agreeing = 0
        isCapped.toggle()
        return true
    }
}
