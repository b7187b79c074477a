import Settings
import Vocabulary

/// Decides when the torch is lit. Its mode says what is wanted; the line, the heat and the system's pressure say what is possible.
///
/// - A mode stays until another one is set. `on`, `auto` and `session` light the torch during capture runs. If somebody sets `on` outside a
///   run, it lights at once, until the next change of the capture run. So a pause darkens every mode, and no mode is lost by it.
/// - Off at initialisation, when a run starts, ends or is interrupted, and at exit.
/// - After `maxOnTime` it is dark for `coolDown`, then does again what its mode says.
/// - If a mode isn't possible, or the light of `on` doesn't come, the mode stays as it was, and the caller hears why.
package struct TorchMachine: Sendable {
    package enum Event: Hashable, Sendable {
        /// The line is ours, and off.
        case lineHeld
        /// It isn't ours, or no longer; `exists`: somebody else has it.
        case lineLost(String, exists: Bool)
        /// The level that was read back.
        case levelRead(Bool)
        /// Somebody sets the mode: answered by `switched` or `switchFailed`, for `on` when the line was driven and read back.
        case mode(TorchMode)
        /// The configuration changed: what counts as dark. The line, the limits and the mode stay.
        case configured(TorchSettings)
        case sessionStarted
        case sessionEnded
        /// What the camera saw; either may be missing.
        case light(lux: Float?, meanLuma: Float?, exposedAt: Instant)
        /// A capture run started (`true`), or ended or was interrupted (`false`).
        case captureRun(isRunning: Bool)
        /// Heat, under-voltage: the torch goes first.
        case systemPressure(Bool)
        case tick
        case shutDown
    }

    package enum Action: Hashable, Sendable {
        /// Drive the line and read it back.
        case drive(Bool)
        case statusChanged(TorchStatus)
        /// The mode is set.
        case switched
        /// The mode is as before. `nil`: the line was driven, but reads back inactive.
        case switchFailed(TorchStatus.Unavailability?)
    }

    package private(set) var settings: TorchSettings
    package private(set) var mode: TorchMode
    /// Whether somebody set the mode since the last change of the capture run.
    private var isModeSetByHand = false
    /// What `on` goes back to if the light doesn't come; `nil` once that is known.
    private var fallback: (mode: TorchMode, isSetByHand: Bool)?
    private var isHeld = false
    private var lineExists = false
    private var lineProblem: String? = "the line has not been opened yet"
    private var isDriven = false
    private var litSince: Instant?
    private var isReadBackActive = false
    private var isRunning = false
    private var isInSession = false
    private var isUnderPressure = false
    private var isShutDown = false
    private var timesLit: UInt64 = 0
    private var heat: TorchHeat
    private var autoLight: TorchAutoLight
    private var reported: TorchStatus?

    package init(settings: TorchSettings) {
        self.settings = settings
        mode = settings.mode
        heat = TorchHeat(maxOnTime: settings.maxOnTime, coolDown: settings.coolDown)
        autoLight = TorchAutoLight(luxThreshold: settings.autoLux, lumaThreshold: settings.autoLuma)
    }

    /// When `tick` is due.
    package var wakeAt: Instant? { isHeld && !isShutDown ? heat.changesAt : nil }

    package var status: TorchStatus {
        TorchStatus(
            hasTorch: lineExists, isActive: isReadBackActive, mode: mode, unavailability: unavailability,
            timesLit: timesLit)
    }

    private var unavailability: TorchStatus.Unavailability? {
        if isShutDown { return .shutDown }
        if let lineProblem { return .line(lineProblem) }
        if let until = heat.coolingUntil { return .coolingDown(until: until) }
        return isUnderPressure ? .systemPressure : nil
    }

    /// Why `mode` can't be set now; `nil`: it can. A mode that lights later may be set while the torch is only cooling down.
    private func refusal(of mode: TorchMode) -> TorchStatus.Unavailability? {
        guard let reason = unavailability else { return nil }
        switch (mode, reason) {
        case (_, .shutDown), (_, .notConfigured): return reason
        case (.off, _): return nil
        case (_, .line): return reason
        case (.on, .coolingDown), (.on, .systemPressure): return reason
        case (.auto, _), (.session, _): return nil
        }
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        var answer: Action?
        switch event {
        case .lineHeld:
            isHeld = true
            lineExists = true
            lineProblem = nil
        case .lineLost(let reason, let exists):
            isHeld = false
            lineExists = exists
            lineProblem = reason
            isReadBackActive = false
            markDriven(false, at: now)
            answer = endSwitch()
        case .levelRead(let isActive):
            isReadBackActive = isActive
            answer = endSwitch()
        case .mode(let wanted):
            _ = heat.isCooling(at: now)
            if let reason = refusal(of: wanted) {
                answer = .switchFailed(reason)
            } else {
                let before = (mode: mode, isSetByHand: isModeSetByHand)
                if wanted != mode { autoLight.reset() }
                mode = wanted
                isModeSetByHand = true
                fallback = wanted == .on ? before : nil
                // `on` that isn't lit yet is driven below; the level that is then read back is the answer.
                if wanted != .on { answer = .switched } else if isDriven { answer = endSwitch() }
            }
        case .configured(let new):
            guard (new.autoLux, new.autoLuma) != (settings.autoLux, settings.autoLuma) else { return [] }
            settings.autoLux = new.autoLux
            settings.autoLuma = new.autoLuma
            autoLight = TorchAutoLight(luxThreshold: new.autoLux, lumaThreshold: new.autoLuma)
        case .sessionStarted:
            isInSession = true
        case .sessionEnded:
            isInSession = false
        case .light(let lux, let meanLuma, let exposedAt):
            guard mode == .auto, isRunning else { return [] }
            autoLight.sample(lux: lux, meanLuma: meanLuma, exposedAt: exposedAt, litSince: litSince, at: now)
        case .captureRun(let isRunning):
            self.isRunning = isRunning
            isModeSetByHand = false
            autoLight.reset()
            actions += drive(false, at: now)
        case .systemPressure(let isUnderPressure):
            self.isUnderPressure = isUnderPressure
        case .tick:
            break
        case .shutDown:
            isShutDown = true
        }
        settle(&actions, at: now)
        return actions + (answer.map { [$0] } ?? [])
    }

    private mutating func endSwitch() -> Action? {
        guard let fallback else { return nil }
        self.fallback = nil
        guard !isReadBackActive else { return .switched }
        (mode, isModeSetByHand) = fallback
        return .switchFailed(unavailability)
    }

    private var wantsLight: Bool {
        switch mode {
        case .off: false
        case .on: isRunning || isModeSetByHand
        case .auto: isRunning && autoLight.wantsLight
        case .session: isRunning && isInSession
        }
    }

    private mutating func settle(_ actions: inout [Action], at now: Instant) {
        let isCooling = heat.isCooling(at: now)
        actions += drive(wantsLight && isHeld && !isCooling && !isUnderPressure && !isShutDown, at: now)
        let status = self.status
        // A driven line is read back next; waiting for that gives one status instead of two.
        if actions.isEmpty, status != reported {
            reported = status
            actions.append(.statusChanged(status))
        }
    }

    private mutating func drive(_ on: Bool, at now: Instant) -> [Action] {
        guard isHeld, on != isDriven else { return [] }
        markDriven(on, at: now)
        if on { timesLit += 1 }
        return [.drive(on)]
    }

    private mutating func markDriven(_ on: Bool, at now: Instant) {
        isDriven = on
        litSince = on ? litSince ?? now : nil
        heat.turn(on: on, at: now)
    }
}
