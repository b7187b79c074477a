import Vocabulary

/// Decides when the station is ready (a code shown now would be read and kept), when its camera is lost, and how a person hears of both.
///
/// | what is reported | when |
/// |---|---|
/// | the ready light | frames come, or would for a trigger, and scans can be kept |
/// | the ready cue | the first time in a run, so that a camera that comes and goes doesn't sing |
/// | the error cue, with advice | once per loss: from the first trouble until the camera runs |
/// | lost and back | in turns, `lost` first |
package struct ReadinessMachine: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        case camera(CameraState)
        /// The first frame of a capture run, or one after an interruption.
        case delivered
        /// A capture run ended. `isResting`: the camera isn't needed before the next session (`capture.idle: stop`); the station must not
        /// look out of order, because a trigger wakes it.
        case runEnded(isResting: Bool)
        /// Whether scans can be kept.
        case keeping(Bool)
    }

    package enum Action: Hashable, Sendable {
        /// Tell everybody that the state has changed.
        case tell(CameraState)
        /// The ready light; dark at first, sent when it changes.
        case ready(Bool)
        /// The cue: the station can scan.
        case playReady
        /// The cue of an error, and what to do about this state.
        case complain(CameraState)
        /// For `ScanMachine`.
        case cameraLost, cameraBack
    }

    package private(set) var camera = CameraState.notLoaded
    package private(set) var isCameraLost = false
    /// It has delivered a frame, at some time.
    package private(set) var hasCameraRun = false
    private var isCameraReady = false
    private var isKeeping = false
    private var isReady = false
    private var wasEverReady = false
    private var isLossTold = false

    package init() {}

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .camera(let state): return become(state)
        case .delivered:
            isCameraReady = true
            hasCameraRun = true
        case .runEnded(let isResting): isCameraReady = isResting
        case .keeping(let isKeeping): self.isKeeping = isKeeping
        }
        return settle()
    }

    private mutating func become(_ state: CameraState) -> [Action] {
        guard state != camera else { return [] }
        camera = state
        var actions: [Action] = [.tell(state)]
        if state.isTrouble {
            isCameraReady = false
            actions += settle()
            if !isLossTold { actions.append(.complain(state)) }
            isLossTold = true
        }
        if state == .running { isLossTold = false }
        // With `capture.idle: stop` a camera that is back waits for the next session; it doesn't run before.
        guard state.isTrouble != isCameraLost, state.isTrouble || state.isUsable else { return actions }
        isCameraLost = state.isTrouble
        return actions + [isCameraLost ? .cameraLost : .cameraBack]
    }

    private mutating func settle() -> [Action] {
        guard isReady != (isCameraReady && isKeeping) else { return [] }
        isReady.toggle()
        guard isReady, !wasEverReady else { return [.ready(isReady)] }
        wasEverReady = true
        return [.ready(true), .playReady]
    }
}

extension CameraState {
    /// Whether it keeps the station from scanning, unintentionally.
    package var isTrouble: Bool {
        switch self {
        case .permissionDenied, .inUse, .unavailable: true
        case .notLoaded, .available, .running, .suspended, .systemPressure: false
        }
    }

    /// Whether a session may count on frames: they come, or will as soon as they are asked for.
    fileprivate var isUsable: Bool {
        switch self {
        case .available, .running, .systemPressure: true
        case .notLoaded, .suspended, .permissionDenied, .inUse, .unavailable: false
        }
    }
}
