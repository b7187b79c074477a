import Settings
import Vocabulary

/// Where cameras come from. The calls block; only `CaptureController` (on its own executor) and the inventory make them.
package protocol CameraSystem: Sendable {
    /// Acquires the camera whose id is, or begins with, `id` (`nil`: the first one).
    func open(id: String?) throws(CameraFailure) -> any CameraDevice
    /// Calls `added` with the id of each camera that appears from now on; on any thread, and it must only hand over.
    func onCameraAdded(_ added: @escaping @Sendable (String) -> Void)
    /// All cameras with what they offer. One that is held can't be described this way.
    func describe() throws(CameraFailure) -> [CameraDescription]
    /// Releases everything; the system isn't used afterwards.
    func shutdown()
}

/// One acquired camera. The calls block; only `CaptureController` makes them, on its own executor, in this order:
/// `configure`, any number of (`start`, `apply`…, `stop`), `close`.
package protocol CameraDevice: AnyObject, Sendable {
    var identity: CameraIdentity { get }
    /// Chooses stream and sensor mode; allocates nothing large yet, so that the memory budget can refuse.
    func configure(_ request: CameraRequest) throws(CameraFailure) -> GrantedSettings
    /// Tells `receiver` of events from now on: a camera may be unplugged before it is started for the first time.
    func listen(_ receiver: any CameraReceiver)
    /// Starts delivering to `receiver`. Returns the controls that the camera doesn't offer.
    func start(_ controls: CameraControls, receiver: any CameraReceiver) throws(CameraFailure) -> [SkippedSetting]
    /// Takes effect with one of the next frames.
    func apply(_ controls: CameraControls) throws(CameraFailure) -> [SkippedSetting]
    /// Adds what this camera offers.
    func describe(into description: inout CameraDescription) throws(CameraFailure)
    /// Nothing is delivered after it has returned. Does nothing when already stopped.
    func stop()
    /// Call it even after a disconnect. Does nothing the second time.
    func close()
}

/// Takes what a camera delivers, on the camera's own thread.
package protocol CameraReceiver: AnyObject, Sendable {
    /// `frame.info.sequence` counts as the device counts; a gap means frames it dropped.
    func frame(_ frame: LumaFrame)
    /// A frame came and could not be used; it leaves a gap.
    func frameDamaged()
    func event(_ event: CameraDeviceEvent)
}

/// What a device reports about itself during a capture run.
package enum CameraDeviceEvent: Hashable, Sendable {
    /// The run is lost.
    case fault(String)
    case disconnected
    /// The scene was shown to its end.
    case sceneEnded
    /// Something was skipped and the run goes on: a damaged frame or picture.
    case warning(String)
}

/// Which camera was opened.
package struct CameraIdentity: Hashable, Sendable {
    package var id: String
    /// The sensor's or webcam's name; "" where unknown.
    package var model: String

    package init(id: String, model: String) {
        self.id = id
        self.model = model
    }
}

/// What `configure` asks for.
package struct CameraRequest: Hashable, Sendable {
    package var resolution: FrameSize
    /// Frames a second.
    package var frameRate: Double
    /// `nil`: the whole field of view, binned if that is enough.
    package var sensorMode: SensorMode?

    package init(resolution: FrameSize, frameRate: Double, sensorMode: SensorMode? = nil) {
        self.resolution = resolution
        self.frameRate = frameRate
        self.sensorMode = sensorMode
    }
}

/// What the camera granted.
package struct GrantedSettings: Hashable, Sendable {
    package var resolution: FrameSize
    /// Pixel format as the camera names it.
    package var format: String
    /// Bytes from one row to the next.
    package var rowStride: Int
    /// Frames a second.
    package var frameRate: Double
    package var sensorMode: SensorMode?
    /// The part of the sensor's field of view that the frame shows, 0…1; `nil`: unknown.
    package var fieldOfView: Double?
    package var memory: MemoryBudget.Camera
    /// Lowest analogue gain; 1 where unknown.
    package var minimumGain: Float = 1
    /// Requested settings that were left out.
    package var skipped: [SkippedSetting] = []
    /// The format that it was preferred to: "YUYV 640x480, 30 fps".
    package var insteadOf: String?

    package init(
        resolution: FrameSize, format: String, rowStride: Int, frameRate: Double, sensorMode: SensorMode? = nil,
        fieldOfView: Double? = nil, memory: MemoryBudget.Camera, minimumGain: Float = 1
    ) {
        self.resolution = resolution
        self.format = format
        self.rowStride = rowStride
        self.frameRate = frameRate
        self.sensorMode = sensorMode
        self.fieldOfView = fieldOfView
        self.memory = memory
        self.minimumGain = minimumGain
    }

    /// "30 fps".
    var frameRateText: String { "\(Int(frameRate.rounded())) fps" }
}

/// A setting that the camera doesn't offer, and why it was left out.
package struct SkippedSetting: Hashable, Sendable, CustomStringConvertible {
    /// The configuration key: `capture.focus.range`.
    package var setting: String
    package var reason: String

    package init(setting: String, reason: String) {
        self.setting = setting
        self.reason = reason
    }

    package var description: String { "\(setting): \(reason)" }
}
