/// What a camera is told while it runs. `nil` leaves a control as it is; what a camera doesn't offer is skipped and listed.
public struct CameraControls: Hashable, Sendable {
    public enum Setting<Value: Hashable & Sendable>: Hashable, Sendable {
        case automatic
        case fixed(Value)
    }

    /// Who moves the lens.
    public enum FocusDrive: Hashable, Sendable {
        /// Dioptres; `nil` leaves the lens where it is.
        case manual(lensPosition: Float?)
        /// Moves once on each trigger.
        case onDemand
        case continuous
    }

    public var exposure: Setting<Duration>?
    /// Analogue gain, 1 = none.
    public var gain: Setting<Float>?
    public var metering: ExposureSettings.Metering?
    public var flicker: ExposureSettings.Flicker?
    /// Frames a second.
    public var frameRate: Double?
    public var focus: FocusDrive?
    public var focusRange: FocusSettings.Range?
    public var focusSpeed: FocusSettings.Speed?
    /// Normalised on the delivered frame (before orientation).
    public var focusWindow: Rect?
    /// Start one autofocus scan.
    public var triggersFocus = false
    /// 1 = none; the camera limits it to the sensor's own pixels.
    public var zoom: Double?
    public var noiseReduction: NoiseReduction?
    public var sharpness: Float?

    public init() {}

    public var isEmpty: Bool { self == CameraControls() }

    /// Takes over what `newer` sets and keeps the rest.
    public mutating func merge(_ newer: CameraControls) {
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
