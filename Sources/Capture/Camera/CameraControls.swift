import Settings
import Vocabulary

/// Controls that a running camera gets. `nil` leaves a control as it is; one that the camera doesn't offer is skipped and listed.
package struct CameraControls: Hashable, Sendable {
    package enum Setting<Value: Hashable & Sendable>: Hashable, Sendable {
        case automatic
        case fixed(Value)
    }

    /// Who moves the lens.
    package enum FocusDrive: Hashable, Sendable {
        /// Dioptres; `nil` leaves the lens where it is.
        case manual(lensPosition: Float?)
        /// Moves once on each trigger.
        case onDemand
        case continuous
    }

    package var exposure: Setting<Duration>?
    /// Analogue gain, 1 = none.
    package var gain: Setting<Float>?
    package var metering: ExposureSettings.Metering?
    package var flicker: ExposureSettings.Flicker?
    /// Frames a second.
    package var frameRate: Double?
    package var focus: FocusDrive?
    package var focusRange: FocusSettings.Range?
    package var focusSpeed: FocusSettings.Speed?
    /// Normalised on the delivered frame (before orientation).
    package var focusWindow: Rect?
    /// Start one autofocus scan.
    package var triggersFocus = false
    /// 1 = none; the camera limits it to the sensor's own pixels.
    package var zoom: Double?
    package var noiseReduction: NoiseReduction?
    /// libcamera's `Sharpness`: 0 none, 1 the camera's usual.
    package var sharpness: Float?

    package init() {}

    package var isEmpty: Bool { self == CameraControls() }

    /// Takes over what `newer` sets and keeps the rest.
    package mutating func merge(_ newer: CameraControls) {
        exposure = newer.exposure ?? exposure
        gain = newer.gain ?? gain
        metering = newer.metering ?? metering
        flicker = newer.flicker ?? flicker
        frameRate = newer.frameRate ?? frameRate
        focus = newer.focus ?? focus
        focusRange = newer.focusRange ?? focusRange
        focusSpeed = newer.focusSpeed ?? focusSpeed
        focusWindow = newer.focusWindow ?? focusWindow
        triggersFocus = newer.triggersFocus || triggersFocus
        zoom = newer.zoom ?? zoom
        noiseReduction = newer.noiseReduction ?? noiseReduction
        sharpness = newer.sharpness ?? sharpness
    }
}
