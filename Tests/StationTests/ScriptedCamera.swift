import Capture
import Dispatch
import Settings
import Synchronization
import TestSupport
import Vocabulary

/// A camera that shows pictures and has the faults that a test gives it, as a real one behind a real driver has them.
final class ScriptedCamera: CameraSystem {
    private struct State {
        var openFailure: CameraFailure?
        var startFailure: CameraFailure?
        var isSilent = false
        var hangs = false
        var receiver: (any CameraReceiver)?
        var added: (@Sendable (String) -> Void)?
    }

    private let pictures: ReplaySystem
    private let state = Mutex(State())
    private let shown = Observed<UInt64>(0)
    private let hanging = DispatchSemaphore(value: 0)

    /// - Parameter pictures: names in the demo scene; half a second each, again and again.
    init(_ pictures: String...) {
        var replay = ReplaySettings(paths: pictures.map { StationHarness.scene + "/" + $0 })
        replay.framesPerPicture = 15
        self.pictures = ReplaySystem(settings: replay)
    }

    /// Waits until this many more frames were delivered.
    func frames(_ count: UInt64) async {
        let goal = shown.value + count
        await shown.wait { $0 >= goal }
    }

    // MARK: Faults

    /// Every attempt to open it fails like this from now on; `nil`: none does.
    func failOpening(_ failure: CameraFailure?) { state.withLock { $0.openFailure = failure } }

    /// The same for starting it.
    func failStarting(_ failure: CameraFailure?) { state.withLock { $0.startFailure = failure } }

    /// Runs and delivers nothing.
    func setSilent(_ isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

    /// The camera is gone, and the driver says so.
    func unplug() {
        failOpening(.unavailable(.notFound(wanted: nil, found: [])))
        state.withLock(\.receiver)?.event(.disconnected)
    }

    func plugIn() {
        failOpening(nil)
        state.withLock(\.added)?("scripted")
    }

    /// The driver reports a fault, and a restart doesn't help.
    func fault() {
        failStarting(.unavailable(.streamFailed(detail: "the cable")))
        state.withLock(\.receiver)?.event(.fault("the cable"))
    }

    /// Stopping it doesn't return any more, as with libcamera after a cable fault, until `letGo`.
    func hang() { state.withLock { $0.hangs = true } }

    func letGo() {
        state.withLock { $0.hangs = false }
        hanging.signal()
    }

    // MARK: CameraSystem

    func open(id: String?) throws(CameraFailure) -> any CameraDevice {
        if let failure = state.withLock(\.openFailure) { throw failure }
        return ScriptedDevice(try pictures.open(id: nil), of: self)
    }

    func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) { state.withLock { $0.added = added } }

    func shutdown() {}

    // MARK: For the device

    fileprivate func started(_ receiver: any CameraReceiver) throws(CameraFailure) {
        if let failure = state.withLock(\.startFailure) { throw failure }
        state.withLock { $0.receiver = receiver }
    }

    /// Counts a frame; `false`: don't deliver it.
    fileprivate func delivers() -> Bool {
        if state.withLock(\.isSilent) { return false }
        shown.change { $0 += 1 }
        return true
    }

    fileprivate func stopping() { if state.withLock(\.hangs) { hanging.wait() } }
}

private final class ScriptedDevice: CameraDevice {
    private let device: any CameraDevice
    private let camera: ScriptedCamera

    init(_ device: any CameraDevice, of camera: ScriptedCamera) {
        self.device = device
        self.camera = camera
    }

    var identity: CameraIdentity { device.identity }

    func configure(_ request: CameraRequest) throws(CameraFailure) -> GrantedSettings { try device.configure(request) }

    func start(_ controls: CameraControls, receiver: any CameraReceiver) throws(CameraFailure) -> [SkippedSetting] {
        try camera.started(receiver)
        return try device.start(controls, receiver: Shutter(camera, receiver))
    }

    func apply(_ controls: CameraControls) throws(CameraFailure) -> [SkippedSetting] { try device.apply(controls) }

    func stop() {
        camera.stopping()
        device.stop()
    }

    func close() { device.close() }
}

/// Lets frames through unless the camera is silent.
private final class Shutter: CameraReceiver {
    private let camera: ScriptedCamera
    private let receiver: any CameraReceiver

    init(_ camera: ScriptedCamera, _ receiver: any CameraReceiver) {
        self.camera = camera
        self.receiver = receiver
    }

    func frame(_ frame: LumaFrame) { if camera.delivers() { receiver.frame(frame) } }

    func frameDamaged() { receiver.frameDamaged() }

    func event(_ event: CameraDeviceEvent) { receiver.event(event) }
}
