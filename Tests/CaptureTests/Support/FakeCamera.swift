import Capture
import Synchronization
import Vocabulary

/// A camera system that does what the test says and records what was done to it.
final class FakeCameraSystem: CameraSystem {
    private struct State {
        var openFailures: [CameraFailure] = []
        var startFailures: [CameraFailure] = []
        var granted: GrantedSettings?
        var device: FakeDevice?
        var added: (@Sendable (String) -> Void)?
        var skipped: [SkippedSetting] = []
    }

    private let state = Mutex(State())
    let trace = Recorder<String>()
    let clock: TestClock

    init(clock: TestClock) { self.clock = clock }

    /// The next calls of `open` fail with these, in order.
    func failOpening(_ failures: CameraFailure...) { state.withLock { $0.openFailures += failures } }
    func failStarting(_ failures: CameraFailure...) { state.withLock { $0.startFailures += failures } }
    func grant(_ granted: GrantedSettings) { state.withLock { $0.granted = granted } }
    func skip(_ setting: SkippedSetting) { state.withLock { $0.skipped = [setting] } }
    func announce(_ id: String) { state.withLock { $0.added }?(id) }
    var device: FakeDevice? { state.withLock { $0.device } }

    func open(id: String?) throws(CameraFailure) -> any CameraDevice {
        trace.add("open \(id ?? "first")")
        let failure = state.withLock { $0.openFailures.isEmpty ? nil : $0.openFailures.removeFirst() }
        if let failure { throw failure }
        let device = FakeDevice(id: id ?? "first", system: self)
        state.withLock { $0.device = device }
        return device
    }

    func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) { state.withLock { $0.added = added } }
    func shutdown() { trace.add("shutdown") }

    fileprivate func grantedSettings(_ request: CameraRequest) -> GrantedSettings {
        state.withLock { $0.granted }
            ?? GrantedSettings(
                resolution: request.resolution, format: "YUV420", rowStride: request.resolution.width,
                frameRate: request.frameRate,
                memory: MemoryBudget.Camera(size: request.resolution, buffers: 4, bytesPerBuffer: 1_400_000))
    }

    fileprivate func startFailure() -> CameraFailure? {
        state.withLock { $0.startFailures.isEmpty ? nil : $0.startFailures.removeFirst() }
    }

    fileprivate var skipped: [SkippedSetting] { state.withLock { $0.skipped } }
}

final class FakeDevice: CameraDevice {
    let identity: CameraIdentity
    let system: FakeCameraSystem
    let controls = Recorder<CameraControls>()
    private let receiver = Mutex<(any CameraReceiver)?>(nil)

    init(id: String, system: FakeCameraSystem) {
        identity = CameraIdentity(id: id, model: "fake")
        self.system = system
    }

    func configure(_ request: CameraRequest) throws(CameraFailure) -> GrantedSettings {
        system.trace.add("configure \(request.resolution)")
        return system.grantedSettings(request)
    }

    func start(_ controls: CameraControls, receiver: any CameraReceiver) throws(CameraFailure) -> [SkippedSetting] {
        system.trace.add("start")
        if let failure = system.startFailure() { throw failure }
        self.receiver.withLock { $0 = receiver }
        self.controls.add(controls)
        return system.skipped
    }

    func apply(_ controls: CameraControls) throws(CameraFailure) -> [SkippedSetting] {
        self.controls.add(controls)
        return []
    }

    func stop() { system.trace.add("stop") }
    func close() { system.trace.add("close") }

    /// One small frame, exposed and delivered now.
    func deliver(_ sequence: UInt64, exposure: Int32? = nil, gain: Float? = nil) {
        let now = system.clock.now
        let pixels: [UInt8] = [1, 2, 3, 4]
        pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let info = FrameInfo(
                sequence: sequence, exposedAt: now, deliveredAt: now, exposureMicroseconds: exposure, gain: gain)
            receiver.withLock { $0 }?.frame(
                LumaFrame(base: base, size: FrameSize(width: 2, height: 2), rowStride: 2, info: info))
        }
    }

    func send(_ event: CameraDeviceEvent) { receiver.withLock { $0 }?.event(event) }
}

/// Keeps what arrives; copies the pixels as a real sink does.
final class CollectingSink: FrameSink {
    struct Frame: Sendable {
        var info: FrameInfo
        var size: FrameSize
        var pixels: [UInt8]
    }

    let frames = Recorder<Frame>()

    func receive(_ frame: LumaFrame) {
        var pixels: [UInt8] = []
        for y in 0..<frame.size.height {
            pixels += UnsafeRawBufferPointer(start: frame.base + y * frame.rowStride, count: frame.size.width)
        }
        frames.add(Frame(info: frame.info, size: frame.size, pixels: pixels))
    }
}
