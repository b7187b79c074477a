import Synchronization
import Vocabulary

/// Between a device and the sink: numbers the frames through all restarts, remembers when the newest came (for the watchdog), and tells the
/// controller about the few frames that matter to it. Runs on the device's thread; costs one lock.
final class FrameRelay: CameraReceiver {
    enum Signal: Sendable {
        /// With the device start that it belongs to: a late signal from an earlier one is dropped.
        case firstFrame(epoch: UInt64)
        case ready(epoch: UInt64)
        /// The governor wants another exposure: `FrameRelay.exposure`, which is newer than this signal.
        case exposure(epoch: UInt64)
        case device(CameraDeviceEvent, epoch: UInt64)
        case cameraAdded(String)
    }

    struct Counters {
        var delivered: UInt64 = 0
        var dropped: UInt64 = 0
        var damaged: UInt64 = 0
        var newest: FrameInfo?
    }

    private struct State {
        var counters = Counters()
        var epoch: UInt64 = 0
        var nextSequence: UInt64 = 0
        /// The device's number of the newest frame of this run; `nil` before the first.
        var deviceSequence: UInt64?
        /// Frames exposed from here on show the viewport in force.
        var readyFrom: Instant?
        var governor: ShutterGovernor
        /// Warnings on their way to the controller, and how many were left out since it took one.
        var warnings = 0
        var leftOut = 0
    }

    /// How many warnings may be on their way: a folder of damaged pictures must not push out the signals that matter.
    static let largestWarnings = 32
    /// A larger jump counts as a restart of the device, not as dropped frames.
    private static let largestGap: UInt64 = 10_000

    private let state: Mutex<State>
    private let sink: any FrameSink
    private let signals: AsyncStream<Signal>.Continuation

    init(sink: any FrameSink, governor: ShutterGovernor, signals: AsyncStream<Signal>.Continuation) {
        self.sink = sink
        self.signals = signals
        state = Mutex(State(governor: governor))
    }

    var counters: Counters { state.withLock { $0.counters } }

    var isShutterCapped: Bool { state.withLock { $0.governor.isCapped } }

    /// The exposure that should be in force.
    var exposure: CameraControls.Setting<Duration> { state.withLock { $0.governor.exposure } }

    /// Frames from now on belong to start number `epoch`; `cameraIsReady` is sent with the first one exposed after `readyFrom`.
    func begin(epoch: UInt64, readyFrom: Instant, governor: ShutterGovernor) {
        state.withLock {
            $0.epoch = epoch
            $0.deviceSequence = nil
            $0.readyFrom = readyFrom
            $0.governor = governor
            $0.counters.newest = nil
        }
    }

    /// The viewport changed: send `cameraIsReady` again when it is in force.
    func expectReady(from instant: Instant) { state.withLock { $0.readyFrom = instant } }

    func setGovernor(_ governor: ShutterGovernor) { state.withLock { $0.governor = governor } }

    func frame(_ frame: LumaFrame) {
        var frame = frame
        let (epoch, isFirst, isReady, changesExposure) = state.withLock { state in
            let isFirst = state.deviceSequence == nil
            let number = frame.info.sequence
            if let last = state.deviceSequence, number > last + 1, number - last < Self.largestGap {
                state.counters.dropped += number - last - 1
                state.nextSequence += number - last - 1
            }
            state.deviceSequence = number
            frame.info.sequence = state.nextSequence
            state.nextSequence += 1
            state.counters.delivered += 1
            state.counters.newest = frame.info
            let isReady = state.readyFrom.map { frame.info.exposedAt >= $0 } ?? false
            if isReady { state.readyFrom = nil }
            let changesExposure = state.governor.frame(
                exposure: frame.info.exposureMicroseconds.map { .microseconds($0) }, gain: frame.info.gain)
            return (state.epoch, isFirst, isReady, changesExposure)
        }
        sink.receive(frame)
        if isFirst { signals.yield(.firstFrame(epoch: epoch)) }
        if isReady { signals.yield(.ready(epoch: epoch)) }
        if changesExposure { signals.yield(.exposure(epoch: epoch)) }
    }

    func frameDamaged() { state.withLock { $0.counters.damaged += 1 } }

    func event(_ event: CameraDeviceEvent) {
        let epoch = state.withLock { state -> UInt64? in
            if case .warning = event {
                guard state.warnings < Self.largestWarnings else {
                    state.leftOut += 1
                    return nil
                }
                state.warnings += 1
            }
            return state.epoch
        }
        if let epoch { signals.yield(.device(event, epoch: epoch)) }
    }

    /// The controller took a warning. Returns how many were left out since the one before.
    func tookWarning() -> Int {
        state.withLock { state in
            state.warnings -= 1
            defer { state.leftOut = 0 }
            return state.leftOut
        }
    }
}
