import Glibc
import Linux
import Settings
import Synchronization
import Vocabulary

/// One camera whose frames `rpicam-vid` writes into a pipe. A thread of this process starts the program and reads from it; when the thread
/// ends, so does the program.
final class RpicamDevice: CameraDevice {
    let identity: CameraIdentity

    /// The program's rows are as long as its buffers', whose alignment depends on the Pi's image processor: 64 on a Pi 3 and 4,
    /// up to 128 on a 5. A width that is a multiple of that leaves no gap between rows, and no doubt.
    static let widthStep = 128

    private struct State {
        var granted: GrantedSettings?
        var mode: RpicamCamera.Mode?
        /// The camera's rate; it delivers at this rate however many frames are passed on.
        var cameraRate = 30.0
        var controls = CameraControls()
        var thread: pthread_t?
        var isStopping = false
        /// The settings have changed since the program was started.
        var isOutdated = false
    }

    private let program: String
    private let camera: RpicamCamera
    private let further: [String]
    private let unknown: UnknownOptions
    let patience: RpicamSystem.Patience
    private let state = Mutex(State())
    /// Wakes the thread.
    private let waker = Waker()

    init(
        program: String, camera: RpicamCamera, further: [String], unknown: UnknownOptions,
        patience: RpicamSystem.Patience
    ) {
        self.program = program
        self.camera = camera
        self.further = further
        self.unknown = unknown
        self.patience = patience
        identity = CameraIdentity(id: camera.id, model: camera.model)
    }

    deinit { close() }

    // MARK: CameraDevice

    func configure(_ request: CameraRequest) throws(CameraFailure) -> GrantedSettings {
        if let failure = waker.failure {
            throw .unavailable(.cannotBeAcquired(detail: "no descriptors left: \(failure.text)"))
        }
        let size = Self.size(for: request.resolution)
        guard size.width > 0, size.height > 0 else {
            throw .unavailable(
                .configurationRejected(
                    detail:
                        "capture.resolution \(request.resolution) is too small for \(program): its width has to be a "
                        + "multiple of \(Self.widthStep)"))
        }
        let mode = mode(for: request, size)
        let bytes = size.width * size.height * 3 / 2
        var granted = GrantedSettings(
            resolution: size, format: "YUV420", rowStride: size.width, frameRate: request.frameRate,
            sensorMode: mode.map { SensorMode(size: $0.size, bitDepth: $0.bitDepth) },
            fieldOfView: mode.flatMap { camera.fieldOfView($0, size) },
            // Our own, and the program's usual six buffers of pictures and raw frames.
            memory: MemoryBudget.Camera(size: size, buffers: 1, bytesPerBuffer: bytes, pipelineBytes: 12 * bytes))
        if size != request.resolution {
            granted.skipped = [
                SkippedSetting(
                    setting: "capture.resolution",
                    reason: "\(program) delivers widths that are multiples of \(Self.widthStep): \(size) instead of "
                        + "\(request.resolution)")
            ]
        }
        state.withLock {
            $0.granted = granted
            $0.mode = mode
            $0.cameraRate = request.frameRate
        }
        return granted
    }

    func start(_ controls: CameraControls, receiver: any CameraReceiver) throws(CameraFailure) -> [SkippedSetting] {
        let isReady = state.withLock { state in
            guard state.thread == nil, state.granted != nil else { return false }
            state.isStopping = false
            state.isOutdated = false
            state.controls = controls
            return true
        }
        guard isReady else {
            throw .unavailable(.cannotBeAcquired(detail: "the camera isn't configured or is running already"))
        }
        waker.clear()
        let beginning = RpicamBeginning()
        let pump = Unmanaged.passRetained(RpicamPump(device: self, receiver: receiver, beginning: beginning))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, rpicamThread, pump.toOpaque())
        guard status == 0 else {
            pump.release()
            throw .unavailable(.cannotBeAcquired(detail: "no thread: \(SystemError(status).text)"))
        }
        state.withLock { $0.thread = thread }
        if let failure = beginning.wait(for: patience.start) {
            stop()
            throw failure
        }
        return arguments().skipped(by: program)
    }

    /// Any change except the frame rate ends the program and starts another one: half a second or more without frames.
    func apply(_ controls: CameraControls) throws(CameraFailure) -> [SkippedSetting] {
        let isOutdated = state.withLock { state in
            let old = state.controls
            state.controls.merge(controls)
            state.controls.triggersFocus = false
            var (before, after) = (old, state.controls)
            before.frameRate = nil
            after.frameRate = nil
            state.isOutdated = state.isOutdated || before != after
            return state.isOutdated
        }
        if isOutdated { waker.wake() }
        guard controls.triggersFocus else { return [] }
        return [SkippedSetting(setting: "capture.focus", reason: "\(program) can't focus on a trigger")]
    }

    func stop() {
        let thread = state.withLock { state in
            state.isStopping = true
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return }
        waker.wake()
        pthread_join(thread, nil)
    }

    func close() { stop() }

    func describe(into description: inout CameraDescription) throws(CameraFailure) {
        let offered = camera.description
        description.pixelArray = offered.pixelArray
        description.sensorModes = offered.sensorModes
    }

    // MARK: For the thread

    struct Plan {
        var program: String
        var arguments: RpicamArguments
        var size: FrameSize
        var waker: Waker
    }

    /// What to start now.
    func plan() -> Plan {
        state.withLock { $0.isOutdated = false }
        let size = state.withLock { $0.granted?.resolution } ?? FrameSize(width: 0, height: 0)
        return Plan(program: program, arguments: arguments(), size: size, waker: waker)
    }

    var isStopping: Bool { state.withLock(\.isStopping) }

    var isOutdated: Bool { state.withLock(\.isOutdated) }

    /// Frames a second that are passed on.
    var frameRate: Double { state.withLock { min($0.controls.frameRate ?? $0.cameraRate, $0.cameraRate) } }

    /// `false`: it had been left out already, and the program still stumbled over it.
    func leaveOut(_ option: String) -> Bool { unknown.insert(option) }

    private func arguments() -> RpicamArguments {
        state.withLock { state in
            RpicamArguments(
                camera: camera, size: state.granted?.resolution ?? FrameSize(width: 0, height: 0),
                frameRate: state.cameraRate, mode: state.mode, controls: state.controls, further: further,
                unknown: unknown.all)
        }
    }

    private func mode(for request: CameraRequest, _ size: FrameSize) -> RpicamCamera.Mode? {
        guard let wanted = request.sensorMode else { return camera.mode(for: size, frameRate: request.frameRate) }
        let known = camera.modes.first {
            $0.size == wanted.size && (wanted.bitDepth == nil || $0.bitDepth == wanted.bitDepth)
        }
        return known ?? RpicamCamera.Mode(size: wanted.size, bitDepth: wanted.bitDepth)
    }

    /// The largest size of the same shape that leaves no gaps between rows; YUV420 wants even sides.
    static func size(for resolution: FrameSize) -> FrameSize {
        let width = resolution.width / widthStep * widthStep
        guard width > 0, resolution.height > 1 else { return FrameSize(width: 0, height: 0) }
        let height = width == resolution.width ? resolution.height : resolution.height * width / resolution.width
        return FrameSize(width: width, height: height / 2 * 2)
    }
}

/// Whether the first frame came; for the caller that waits for it.
final class RpicamBeginning: Sendable {
    private let outcome = Mutex<CameraFailure??>(nil)
    private let decided = Waker()

    /// Only the first call counts. Returns whether this was it.
    @discardableResult
    func decide(_ failure: CameraFailure?) -> Bool {
        let isFirst = outcome.withLock { outcome in
            guard outcome == nil else { return false }
            outcome = .some(failure)
            return true
        }
        if isFirst { decided.wake() }
        return isFirst
    }

    /// Why there is none; `nil`: there was one.
    func wait(for patience: Duration) -> CameraFailure? {
        let milliseconds = Int(patience.milliseconds)
        guard !decided.wait(untilMonotonic: MonotonicClock.nanoseconds + patience.wholeNanoseconds) else {
            return outcome.withLock { $0 ?? nil }
        }
        let late = CameraFailure.unavailable(
            .cannotBeAcquired(
                detail: "the program runs and brought no frame within \(milliseconds) ms: check the cable"))
        // It may have come just now.
        return decide(late) ? late : outcome.withLock { $0 ?? nil }
    }
}

private func rpicamThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    nameThread("rpicam")
    Unmanaged<RpicamPump>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
