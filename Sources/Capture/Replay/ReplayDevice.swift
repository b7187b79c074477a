import Glibc
import Linux
import Settings
import Synchronization
import Vocabulary

/// Pictures as a camera: delivered from its own thread, at the frame rate (absolute times, so that nothing drifts) or as fast as the sink
/// takes them. Like a camera, it drops frames when it is too slow for its frame rate.
package final class ReplayDevice: CameraDevice {
    package let identity: CameraIdentity

    private struct State {
        var granted: GrantedSettings?
        var frameRate = 30.0
        var zoom = 1.0
        /// Ends the player's waits.
        var stopPlayer: (@Sendable () -> Void)?
        var thread: pthread_t?
        var isStopping = false
    }

    private let settings: ReplaySettings
    private let files: [FileName]
    private let state = Mutex(State())
    /// Woken by `stop` and by a new frame rate, to end the wait for the next frame.
    private let changed = Waker()

    package init(settings: ReplaySettings, files: [FileName]) {
        self.settings = settings
        self.files = files
        identity = CameraIdentity(
            id: ReplaySystem.cameraID, model: files.count.counted("picture"))
    }

    package func configure(_ request: CameraRequest) throws(CameraFailure) -> GrantedSettings {
        let size = request.resolution
        guard size.width > 0, size.height > 0 else {
            throw .unavailable(.configurationRejected(detail: "capture.resolution \(size) is empty"))
        }
        let bytes = size.width * size.height
        let granted = GrantedSettings(
            resolution: size, format: "GREY", rowStride: size.width, frameRate: request.frameRate,
            memory: MemoryBudget.Camera(
                size: size, buffers: 1, bytesPerBuffer: bytes,
                pipelineBytes: min(PictureCache.maxBytes, bytes * files.count)))
        state.withLock {
            $0.granted = granted
            $0.frameRate = request.frameRate
        }
        return granted
    }

    package func start(
        _ controls: CameraControls, receiver: any CameraReceiver
    ) throws(CameraFailure) -> [SkippedSetting] {
        guard let granted = state.withLock({ $0.thread == nil ? $0.granted : nil }) else {
            throw .unavailable(.cannotBeAcquired(detail: "the replayed camera isn't configured or is running already"))
        }
        let skipped = try apply(controls)
        changed.clear()
        // The first picture is decoded here: a scene without a readable picture must fail the start, not the run.
        var player = ScenePlayer(files: files, settings: settings, size: granted.resolution)
        try player.prepare { receiver.event(.warning($0)) }
        let stopPlayer = player.stop
        let run = Unmanaged.passRetained(ReplayRun(device: self, receiver: receiver, player: player))
        var thread = pthread_t()
        state.withLock { $0.isStopping = false }
        let status = pthread_create(&thread, nil, replayThread, run.toOpaque())
        guard status == 0 else {
            stopPlayer()
            run.release()
            throw .unavailable(
                .cannotBeAcquired(detail: "no thread for the replay: \(SystemError(status).text)"))
        }
        state.withLock {
            $0.thread = thread
            $0.stopPlayer = stopPlayer
        }
        return skipped
    }

    package func apply(_ controls: CameraControls) throws(CameraFailure) -> [SkippedSetting] {
        state.withLock {
            if let rate = controls.frameRate, rate > 0 { $0.frameRate = rate }
            if let zoom = controls.zoom { $0.zoom = max(1, zoom) }
        }
        if controls.frameRate != nil { changed.wake() }
        var skipped: [SkippedSetting] = []
        if case .fixed = controls.exposure { skipped.append(.notOffered("capture.exposure.time", by: "a replay")) }
        if case .fixed = controls.gain { skipped.append(.notOffered("capture.exposure.gain", by: "a replay")) }
        if controls.sharpness != nil { skipped.append(.notOffered("capture.sharpness", by: "a replay")) }
        if controls.triggersFocus { skipped.append(.notOffered("capture.focus", by: "a replay")) }
        return skipped
    }

    package func stop() {
        let (thread, stopPlayer) = state.withLock { state in
            state.isStopping = true
            defer { (state.thread, state.stopPlayer) = (nil, nil) }
            return (state.thread, state.stopPlayer)
        }
        guard let thread else { return }
        stopPlayer?()
        changed.wake()
        pthread_join(thread, nil)
    }

    package func close() { stop() }

    // MARK: The thread

    fileprivate func run(_ receiver: any CameraReceiver, _ player: ScenePlayer) {
        var player = player
        var sequence: UInt64 = 0
        var pace = FramePace(now: MonotonicClock.nanoseconds)
        while true {
            let (isStopping, frameRate, zoom) = state.withLock { ($0.isStopping, $0.frameRate, $0.zoom) }
            if isStopping { return }
            player.zoom = zoom
            let exposed = Instant.now.nanoseconds
            do {
                guard let frame = try player.next(waits: settings.isUnpaced, warn: { receiver.event(.warning($0)) })
                else {
                    if !state.withLock({ $0.isStopping }) { receiver.event(.sceneEnded) }
                    return
                }
                frame.pixels.withUnsafeBytes { pixels in
                    guard let base = pixels.baseAddress else { return }
                    let info = FrameInfo(
                        sequence: sequence, exposedAt: Instant(nanoseconds: exposed),
                        deliveredAt: Instant.now, label: frame.label)
                    receiver.frame(LumaFrame(base: base, size: frame.size, rowStride: frame.size.width, info: info))
                }
            } catch {
                return receiver.event(.fault(error.description))
            }
            sequence += 1
            if !settings.isUnpaced { sequence += wait(&pace, frameRate) }
        }
    }

    /// Waits until the next frame is due. Returns how many frames are too late to deliver.
    private func wait(_ pace: inout FramePace, _ frameRate: Double) -> UInt64 {
        var interval = Self.interval(frameRate)
        pace.next(interval)
        while let deadline = pace.deadline(now: MonotonicClock.nanoseconds, interval) {
            guard changed.wait(untilMonotonic: deadline) else { break }
            let (isStopping, newRate) = state.withLock { ($0.isStopping, $0.frameRate) }
            if isStopping { return 0 }
            interval = Self.interval(newRate)
            pace.change(interval)
        }
        return pace.skip(now: MonotonicClock.nanoseconds, interval)
    }

    private static func interval(_ frameRate: Double) -> Int64 {
        Int64(1_000_000_000 / min(max(frameRate, CaptureController.lowestFrameRate), 1000))
    }
}

/// The thread's argument; the thread releases it.
private final class ReplayRun: Sendable {
    let device: ReplayDevice
    let receiver: any CameraReceiver
    let player: ScenePlayer

    init(device: ReplayDevice, receiver: any CameraReceiver, player: ScenePlayer) {
        self.device = device
        self.receiver = receiver
        self.player = player
    }
}

private func replayThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let run = Unmanaged<ReplayRun>.fromOpaque(argument).takeRetainedValue()
    run.device.run(run.receiver, run.player)
    return nil
}

extension SkippedSetting {
    static func notOffered(_ setting: String, by camera: String) -> SkippedSetting {
        SkippedSetting(setting: setting, reason: "not offered by \(camera)")
    }
}
