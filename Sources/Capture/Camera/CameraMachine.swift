import Vocabulary

/// Decides what to do with the camera; knows no clock and no device.
///
/// ```
///              load            opened              start             started
///   notLoaded ──────▶ opening ────────▶ available ──────▶ starting ──────────▶ running
///       ▲                │  ▲               │ ▲               │                  │  │
///       │ shutdown       │  │ retry,        │ └── stop, scene ended ─────────────┘  │ fault, silence,
///       │                │  │ cameraAdded   │                 │                     │ disconnect
///       │                ▼  │               ▼                 ▼                     ▼
///       └────────── failed: permissionDenied, inUse, unavailable(reason), waiting for its next attempt
///
///   suspend: from everywhere to closed; resume: back to what was wanted.
///   pressure: running at a reduced rate; after `pressurePatience` stopped; nil: back to what was wanted.
/// ```
///
/// Commands only change what is wanted; `reconcile` compares that with the device's state (`phase`) and asks for the next step. Device
/// calls answer with an event, so there is never more than one step under way.
package struct CameraMachine: Sendable {
    /// The device's state, as far as its answers tell.
    private enum Phase: Hashable {
        case closed
        case opening
        case open
        case starting
        case running(since: Instant)
    }

    private enum Pressure: Hashable {
        case reduced(SystemPressure, since: Instant)
        case stopped(SystemPressure)
    }

    /// The state as reported last.
    package private(set) var state: CameraState = .notLoaded
    /// The current capture run.
    package private(set) var run: UInt64?
    private var limits: Limits
    private var phase: Phase = .closed
    private var wantsLoaded = false
    private var wantsRunning = false
    private var isSuspended = false
    private var pressure: Pressure?
    private var failure: CameraFailure?
    /// A run was cut off and none has delivered since.
    package private(set) var isInterrupted = false
    /// The last attempt got as far as opening the camera, so opening it again is no success yet.
    private var hasFailedToStart = false
    /// No attempt before this; only with a failure.
    private var retryAt: Instant?
    /// A failure that no attempt with the same settings can cure.
    private var isRefused = false
    private var backoff: Backoff
    private var lastFrame: Instant?
    private var lastRun: UInt64 = 0
    private var reportedWake: Instant?

    package init(limits: Limits = Limits()) {
        self.limits = limits
        backoff = Backoff(first: limits.retryFirst, longest: limits.retryMax)
    }

    /// Perform the actions in order, before the next event.
    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        apply(event, at: now, &actions)
        reconcile(&actions)
        reportState(&actions)
        reportWake(&actions)
        return actions
    }

    private mutating func apply(_ event: Event, at now: Instant, _ actions: inout [Action]) {
        switch event {
        case .load, .start, .stop, .suspend, .resume, .shutdown, .reconfigure: command(event, &actions)
        case .opened:
            guard phase == .opening else { return }
            phase = .open
            if !isInterrupted, !(hasFailedToStart && wantsRunning && !isStoppedByPressure) { failure = nil }
        case .openFailed(let failure):
            guard phase == .opening else { return }
            phase = .closed
            hasFailedToStart = false
            fail(failure, at: now, &actions)
        case .started:
            guard phase == .starting else { return }
            phase = .running(since: now)
            hasFailedToStart = false
            if !isInterrupted { failure = nil }
            lastFrame = nil
            lastRun += 1
            run = lastRun
            actions.append(.runStarted(lastRun))
        case .startFailed(let failure):
            guard phase == .starting else { return }
            phase = .open
            hasFailedToStart = true
            fail(failure, at: now, mustClose: true, &actions)
        case .firstFrame:
            guard isRunning else { return }
            delivered(at: now, &actions)
        case .fault(let text):
            guard isRunning else { return }
            fail(.unavailable(.streamFailed(detail: text)), at: now, &actions)
        case .disconnected:
            guard phase == .open || isRunning else { return }
            fail(.unavailable(.disconnected), at: now, mustClose: true, &actions)
        case .cameraAdded:
            // A camera that has just appeared is worth an immediate attempt; the back-off goes on if that fails.
            if retryAt != nil { retryAt = now }
            if let retryAt, retryAt <= now { self.retryAt = nil }
        case .sceneEnded:
            guard isRunning else { return }
            wantsRunning = false
            endRun(.sceneEnded, &actions)
        case .pressure(let kind): changePressure(kind, at: now, &actions)
        case .frameTimeout(let timeout): limits.frameTimeout = timeout
        case .backoff(let first, let longest): backoff.change(first: first, longest: longest)
        case .wake(let newest): wake(newest, at: now, &actions)
        }
    }

    private mutating func command(_ event: Event, _ actions: inout [Action]) {
        switch event {
        case .load:
            wantsLoaded = true
            forgetFailure(ifRefused: true)
        case .start:
            wantsLoaded = true
            wantsRunning = true
            forgetFailure(ifRefused: true)
        case .stop:
            wantsRunning = false
            endRun(.stopped, &actions)
            isInterrupted = false
            if phase == .open { failure = nil; retryAt = nil }
        case .suspend:
            isSuspended = true
            endRun(.suspended, &actions)
            isInterrupted = false
            forgetFailure()
        case .resume:
            isSuspended = false
        case .shutdown:
            wantsLoaded = false
            wantsRunning = false
            isSuspended = false
            endRun(.shutdown, &actions)
            isInterrupted = false
            forgetFailure()
        case .reconfigure:
            endRun(.reconfigured, &actions)
            close(&actions)
            isInterrupted = false
            forgetFailure()
        default: break
        }
    }

    private var isRunning: Bool {
        if case .running = phase { true } else { false }
    }

    private mutating func forgetFailure(ifRefused: Bool = false) {
        if ifRefused, !isRefused { return }
        failure = nil
        hasFailedToStart = false
        retryAt = nil
        isRefused = false
        backoff.reset()
    }

    private mutating func delivered(at instant: Instant, _ actions: inout [Action]) {
        failure = nil
        lastFrame = instant
        if isInterrupted { actions.append(.interruptionEnded) }
        isInterrupted = false
    }

    /// The end is reported first: what depends on the run (the torch) mustn't wait for a device that is slow to stop.
    private mutating func endRun(_ reason: RunEnd, _ actions: inout [Action]) {
        guard isRunning, let run else { return }
        phase = .open
        self.run = nil
        actions.append(.runEnded(run, reason))
        actions.append(.stopDevice)
    }

    private mutating func close(_ actions: inout [Action]) {
        guard phase == .open else { return }
        phase = .closed
        actions.append(.close)
    }

    /// One lost run costs a stop and start; a second before the camera was stable closes it as well.
    private mutating func fail(
        _ failure: CameraFailure, at now: Instant, mustClose: Bool = false, _ actions: inout [Action]
    ) {
        let failedRun = run
        self.failure = failure
        if let failedRun {
            actions.append(.runEnded(failedRun, .failed(failure)))
            run = nil
            phase = .open
            if wantsRunning, !isInterrupted {
                isInterrupted = true
                actions.append(.interrupted(failure))
            }
        }
        // Reported before the device is touched: stopping a failed camera may never return.
        reportState(&actions)
        if failedRun != nil { actions.append(.stopDevice) }
        if mustClose || backoff.attempts >= limits.restartsBeforeReopening { close(&actions) }
        isRefused = !failure.isWorthRetrying
        retryAt = isRefused ? nil : now.advanced(by: backoff.next())
        if backoff.attempts == limits.attemptsBeforeExhaustion, case .unavailable(let reason) = failure,
            reason.mayNeedNewProcess
        {
            actions.append(.recoveryExhausted(failure))
        }
    }

    private mutating func changePressure(_ kind: SystemPressure?, at now: Instant, _ actions: inout [Action]) {
        switch (kind, pressure) {
        case (nil, nil): break
        case (nil, _?):
            pressure = nil
            actions.append(.reduceFrameRate(false))
        case (let kind?, nil):
            pressure = .reduced(kind, since: now)
            actions.append(.reduceFrameRate(true))
        case (let kind?, .reduced(_, let since)?): pressure = .reduced(kind, since: since)
        case (let kind?, .stopped?): pressure = .stopped(kind)
        }
    }

    private mutating func wake(_ newest: Instant?, at now: Instant, _ actions: inout [Action]) {
        reportedWake = nil  // that timer is used up
        if let retryAt, retryAt <= now { self.retryAt = nil }
        if case .reduced(let kind, let since) = pressure, since.duration(to: now) >= limits.pressurePatience {
            pressure = .stopped(kind)
            endRun(.systemPressure(kind), &actions)
        }
        guard case .running(let since) = phase else { return }
        if let newest {
            // A frame of this run, whether or not the news of its first one got through.
            if lastFrame == nil { delivered(at: newest, &actions) }
            lastFrame = max(lastFrame ?? newest, newest)
        }
        let silence = (lastFrame ?? since).duration(to: now)
        if silence >= limits.frameTimeout {
            fail(.unavailable(.stoppedDelivering(lastFrameAgo: silence)), at: now, &actions)
        } else if lastFrame != nil, since.duration(to: now) >= limits.stableAfter {
            backoff.reset()
        }
    }

    /// The next step from the device's state towards what is wanted.
    private mutating func reconcile(_ actions: inout [Action]) {
        let mayBeOpen = wantsLoaded && !isSuspended
        if phase == .open, !mayBeOpen { close(&actions) }
        guard mayBeOpen, retryAt == nil, !isRefused else { return }
        if phase == .closed {
            phase = .opening
            actions.append(.open)
        } else if phase == .open, wantsRunning, !isStoppedByPressure {
            phase = .starting
            actions.append(.startDevice)
        }
    }

    private var isStoppedByPressure: Bool {
        if case .stopped = pressure { true } else { false }
    }

    private mutating func reportState(_ actions: inout [Action]) {
        let new = currentState
        guard new != state else { return }
        state = new
        actions.append(.report(new))
    }

    private var currentState: CameraState {
        if !wantsLoaded { return .notLoaded }
        if isSuspended { return .suspended }
        if let failure { return failure.state }
        switch pressure {
        case .reduced(let kind, _), .stopped(let kind): return .systemPressure(kind)
        case nil: break
        }
        switch phase {
        case .running: return .running
        case .open, .starting: return .available
        case .opening, .closed: return state == .suspended ? .suspended : .notLoaded
        }
    }

    private mutating func reportWake(_ actions: inout [Action]) {
        var times: [Instant] = []
        if let retryAt { times.append(retryAt) }
        if case .running(let since) = phase {
            times.append((lastFrame ?? since).advanced(by: limits.frameTimeout))
        }
        if case .reduced(_, let since) = pressure { times.append(since.advanced(by: limits.pressurePatience)) }
        let wake = times.min()
        guard wake != reportedWake else { return }
        reportedWake = wake
        actions.append(.wakeAt(wake))
    }
}

extension CameraUnavailableReason {
    /// A missing camera or picture needs a person; a camera that stalls or can't be acquired may need a new process.
    var mayNeedNewProcess: Bool {
        switch self {
        case .cannotBeAcquired, .stoppedDelivering, .streamFailed, .configurationRejected: true
        case .notFound, .noLumaFormat, .disconnected, .noPlugin, .scene, .memoryBudget: false
        }
    }
}
