import Settings
import Vocabulary

/// The heart of the station: decides what becomes a scan, and when frames and the camera are needed for it.
///
/// It combines three machines and adds what is between them:
///
///     read ──▶ TriggerSession.admits ──▶ SightingTracker ──▶ once a sighting, gap ──▶ ConfirmationGate ──▶ accept
///                     ▲  (cause before effect)                                               ▲
///     button, commands┘                                            confirm, cancelConfirmation
///
///     stopped ── start ──▶ scanning ── pause ──▶ paused ── resume ──▶ scanning
///        ▲                    │ stop                │ stop
///        └────────────────────┴─────────────────────┘
///
/// While stopped or paused, nothing is read, the camera is released and triggers are ignored. While the journal can't keep scans the same
/// holds, but the camera goes on. While scanning, what is asked of camera and reader follows from the mode, the session and everybody else
/// who looks; `settle` works it out after every event and sends it when it has changed, so it can't get out of step.
///
/// | mode | reads | a code becomes a scan |
/// |---|---|---|
/// | `presentation` | always | once, and again after it was out of view for `sameSymbolTimeout` |
/// | `continuous` | always | the same, and every `repeatInterval` while it stays |
/// | `level`, `pulse`, `host` | in sessions, and for a `Looker` | once a session, up to `maxScans` codes |
package struct ScanMachine: Sendable {
    /// The machine's inputs. `at` in `handle` is the moment when it happened: for button edges and trigger commands, the edge or arrival
    /// itself (frames exposed before it don't count); for everything else, now.
    package enum Event: Hashable, Sendable {
        /// Scanning begins. Before it, and after `stop`, nothing is read.
        case start
        /// The station shuts down: an open session is cancelled, reading and the camera are stopped.
        case stop
        /// A frame's result, in the order of frame sequences. A late read may confirm a sighting, never begin or end one; what the ladder finds in an
        /// older frame may begin one (see `SightingTracker`).
        case read(ReadResult)
        /// The trigger button went down.
        case pressed
        /// The trigger button came up.
        case released
        /// A client asks for a session (modes `level`, `pulse`, `host`).
        case trigger
        /// A client ends the session.
        case release
        /// Someone confirms the waiting read, by button or command.
        case confirm
        /// Someone rejects the waiting read.
        case cancelConfirmation
        /// The camera failed. Not for a camera that stopped because the machine asked for it.
        case cameraLost
        case cameraBack
        /// Scans can't be kept: an open session is cancelled and nothing is read, but the camera goes on.
        case journalLost
        /// They can be kept again. What is in view counts as new: it may be what couldn't be kept.
        case journalBack
        /// A client stops scanning for a while: an open session is cancelled.
        case pause
        case resume
        /// The time of the last `wakeAt` has come.
        case tick
        /// New trigger settings. Another mode cancels an open session; otherwise they apply from the next session on.
        case settings(TriggerSettings)
        /// A new confirmation policy, for reads from now on.
        case confirmation(ConfirmationSettings)
        /// A new `capture.idle`.
        case idle(CaptureSettings.Idle)
        /// Whether frames are read for somebody else, whatever the mode: then also without a session, from which no scan comes.
        case look(for: Looker, Bool)
        /// New rules by symbology; the machine uses their `agreement`, for codes that appear from now on.
        case symbologies([Symbology: SymbologySettings])
    }

    /// What frames are read for, apart from scans.
    package enum Looker: Hashable, Sendable {
        case firstPassword
        /// Somebody turns the camera.
        case aim
    }

    /// What the shell must do, in this order.
    package enum Action: Hashable, Sendable {
        /// Never while another session is open. Ids rise by one from 1.
        case startSession(id: UInt64, trigger: TriggerMode)
        /// Exactly one for each `startSession`; its scans and its `noRead` come before it.
        case endSession(id: UInt64, outcome: SessionOutcome)
        /// Becomes a scan.
        case accept(AcceptedSighting)
        /// Only if `trigger.reportsNoRead`; `endSession` has the reason in any case.
        case noRead(NoRead)
        /// A read waits for its confirmation. A new one comes only after the `confirmationEnded` of the one before.
        case awaitConfirmation(Symbol)
        /// After `confirmed` the `accept` follows at once.
        case confirmationEnded(ConfirmationEnd)
        /// Whether frames are read at all, and how hard: `quick` always looks, `thorough` while a session waits. The torch
        /// mode `session` follows this one.
        case reading(isOn: Bool, effort: ReadEffort.Kind)
        /// A weak code was seen and needs another observation: the change gate has to let frames through.
        case pending(Bool)
        case camera(CameraDemand)
        /// A code is in view (weak ones: after agreement), whether or not it becomes a scan.
        case sightingAppeared(Sighting)
        /// Exactly one for each `sightingAppeared`.
        case sightingDisappeared(Sighting)
        /// Set the one timer to send `tick` then; `nil`: no timer.
        case wakeAt(Instant?)
    }

    package private(set) var trigger: TriggerSettings
    package private(set) var isStarted = false
    package private(set) var isPaused = false
    package private(set) var isCameraLost = false
    package private(set) var isJournalLost = false

    private var lookers: Set<Looker> = []
    private var idle: CaptureSettings.Idle
    private var tracker: SightingTracker
    private var session: TriggerSession
    private var gate: ConfirmationGate
    /// The latest instant seen: button edges may arrive late, but time-outs never run backwards.
    private var now = Instant(nanoseconds: .min)
    /// When each sighting was last offered. At most as many as the tracker follows.
    private var offeredAt: [UInt64: Instant] = [:]
    /// What the open session was offered already, by which sighting, whether or not it has stayed in view.
    private var offeredInSession: [SightingIdentity: UInt64] = [:]
    private var lastAcceptedAt: Instant?
    private var told = Demands.none

    /// What follows from the state, as the shell was last told.
    private struct Demands: Hashable {
        var isReading = false
        var effort = ReadEffort.Kind.quick
        var camera = CameraDemand.stop
        var isPending = false
        var wakeAt: Instant?
        /// A new session that follows another at once asks for reading again, so that frames aren't held back as unchanged.
        var session: UInt64?

        static let none = Demands()
    }

    package init(
        trigger: TriggerSettings, confirmation: ConfirmationSettings = ConfirmationSettings(),
        symbologies: [Symbology: SymbologySettings] = ReadingSettings.defaultSymbologies,
        idle: CaptureSettings.Idle = .run, limits: SightingTracker.Limits = SightingTracker.Limits()
    ) {
        self.trigger = trigger
        self.idle = idle
        tracker = SightingTracker(absence: trigger.sameSymbolTimeout, symbologies: symbologies, limits: limits)
        session = TriggerSession(settings: trigger)
        gate = ConfirmationGate(settings: confirmation)
    }

    /// The open session's id.
    package var sessionID: UInt64? { session.id }
    /// The read that waits for its confirmation.
    package var waitingSymbol: Symbol? { gate.waiting?.symbol }
    package var isReading: Bool { told.isReading }
    /// What the camera was asked for last.
    package var cameraDemand: CameraDemand { told.camera }
    /// The camera isn't needed before the next session (`capture.idle: stop`).
    package var isCameraResting: Bool { isStarted && !isPaused && told.camera == .stop }
    /// Symbols that were ignored because too many codes were in view.
    package var overflowCount: UInt64 { tracker.overflowCount }

    package mutating func handle(_ event: Event, at instant: Instant) -> [Action] {
        now = max(now, instant)
        var actions: [Action] = []
        expire(&actions)
        switch event {
        case .start: isStarted = true
        case .stop:
            cancel(&actions)
            forget(&actions)
            isStarted = false
            isPaused = false
        case .pause:
            cancel(&actions)
            isPaused = true
        case .resume: isPaused = false
        case .read(let result): read(result, &actions)
        case .pressed: forward(.pressed, at: instant, &actions)
        case .released: forward(.released, at: instant, &actions)
        case .trigger: forward(.trigger, at: instant, &actions)
        case .release: forward(.release, at: instant, &actions)
        case .confirm: perform(gate.handle(.confirm, at: now), &actions)
        case .cancelConfirmation: perform(gate.handle(.refuse, at: now), &actions)
        case .cameraLost:
            isCameraLost = true
            forward(.cameraLost, at: now, &actions)
        case .cameraBack: isCameraLost = false
        case .journalLost:
            cancel(&actions)
            forget(&actions)
            isJournalLost = true
        case .journalBack: isJournalLost = false
        case .tick: break
        case .settings(let settings): change(settings, &actions)
        case .confirmation(let settings): gate.settings = settings
        case .idle(let idle): self.idle = idle
        case .look(let looker, let isLooking): if isLooking { lookers.insert(looker) } else { lookers.remove(looker) }
        case .symbologies(let symbologies): tracker.symbologies = symbologies
        }
        settle(&actions)
        return actions
    }

    private var isScanning: Bool { isStarted && !isPaused && !isJournalLost }

    // MARK: Time

    private mutating func expire(_ actions: inout [Action]) {
        perform(session.handle(.tick, at: now, now: now), &actions)
        perform(gate.handle(.tick, at: now), &actions)
    }

    // MARK: Frames

    private mutating func read(_ result: ReadResult, _ actions: inout [Action]) {
        guard isScanning else { return }
        guard !trigger.mode.isTriggered || session.admits(exposedAt: result.frame.exposedAt) else { return }
        var seen: [Sighting] = []
        for action in tracker.handle(result) {
            switch action {
            case .appeared(let sighting): actions.append(.sightingAppeared(sighting))
            case .disappeared(let sighting): disappear(sighting, &actions)
            case .seen(let sighting): seen.append(sighting)
            }
        }
        for sighting in seen where isDue(sighting) {
            offer(sighting, &actions)
            // The session may have got all the scans it wanted.
            if trigger.mode.isTriggered && session.id == nil { break }
        }
    }

    private mutating func disappear(_ sighting: Sighting, _ actions: inout [Action]) {
        offeredAt[sighting.id] = nil
        actions.append(.sightingDisappeared(sighting))
    }

    private func isDue(_ sighting: Sighting) -> Bool {
        if let last = lastAcceptedAt, last.duration(to: now) < trigger.gap { return false }
        guard gate.admits(sighting.symbol.symbology, firstSequence: sighting.firstFrame.sequence) else { return false }
        if trigger.mode.isTriggered, offeredInSession[sighting.identity] != nil { return false }
        guard let last = offeredAt[sighting.id] else { return true }
        guard trigger.mode == .continuous, let interval = trigger.repeatInterval else { return false }
        return last.duration(to: now) >= interval
    }

    private mutating func offer(_ sighting: Sighting, _ actions: inout [Action]) {
        offeredAt[sighting.id] = now
        if trigger.mode.isTriggered { offeredInSession[sighting.identity] = sighting.id }
        let candidate = AcceptedSighting(
            sighting: sighting.id, session: session.id ?? 0, trigger: trigger.mode, acceptedAt: now,
            symbol: sighting.symbol, reads: sighting.reads, frame: sighting.frame, decodeTime: sighting.decodeTime)
        perform(gate.handle(.offer(candidate, firstSequence: sighting.firstFrame.sequence), at: now), &actions)
    }

    // MARK: Confirmation

    private mutating func perform(_ gateActions: [ConfirmationGate.Action], _ actions: inout [Action]) {
        for action in gateActions {
            switch action {
            case .pass(let sighting):
                lastAcceptedAt = now
                actions.append(.accept(sighting))
                perform(session.handle(.scanned, at: now, now: now), &actions)
            case .await(let sighting):
                actions.append(.awaitConfirmation(sighting.symbol))
                perform(session.handle(.awaiting, at: now, now: now), &actions)
            case .ended(let sighting, let end):
                actions.append(.confirmationEnded(end))
                ended(sighting, end, &actions)
            }
        }
    }

    private mutating func ended(_ sighting: AcceptedSighting, _ end: ConfirmationEnd, _ actions: inout [Action]) {
        let reason: NoReadReason
        switch end {
        case .withdrawn: return
        case .confirmed, .replaced:
            // Nobody has said no to what was replaced: shown once more, it may be confirmed.
            if end == .replaced { offeredInSession = offeredInSession.filter { $0.value != sighting.sighting } }
            perform(session.handle(.answered, at: now, now: now), &actions)
            return
        case .refused: reason = .refusedConfirmation
        case .timedOut: reason = .unconfirmed
        }
        if session.id != nil {
            perform(session.handle(.givenUp(reason), at: now, now: now), &actions)
        } else {
            tell(
                NoRead(
                    session: 0, trigger: sighting.trigger, reason: reason,
                    duration: sighting.acceptedAt.duration(to: now)), &actions)
        }
    }

    private func tell(_ noRead: NoRead, _ actions: inout [Action]) {
        if trigger.reportsNoRead { actions.append(.noRead(noRead)) }
    }

    // MARK: Sessions

    private mutating func forward(_ event: TriggerSession.Event, at instant: Instant, _ actions: inout [Action]) {
        guard isScanning else { return }
        let hadSession = session.id
        perform(session.handle(event, at: instant, now: now), &actions)
        // A session on a camera that is known to have failed would only run into its time-out.
        if isCameraLost, session.id != hadSession {
            perform(session.handle(.cameraLost, at: now, now: now), &actions)
        }
    }

    private mutating func perform(_ sessionActions: [TriggerSession.Action], _ actions: inout [Action]) {
        for action in sessionActions {
            switch action {
            case .started(let id):
                actions.append(.startSession(id: id, trigger: trigger.mode))
            case .ended(let id, let outcome, let duration):
                forget(&actions)
                perform(gate.handle(.withdraw, at: now), &actions)
                if case .noRead(let reason) = outcome {
                    tell(NoRead(session: id, trigger: trigger.mode, reason: reason, duration: duration), &actions)
                }
                actions.append(.endSession(id: id, outcome: outcome))
            }
        }
    }

    /// A new session may read the same code again: its trigger asks for it.
    private mutating func forget(_ actions: inout [Action]) {
        for case .disappeared(let sighting) in tracker.reset() { disappear(sighting, &actions) }
        offeredAt = [:]
        offeredInSession = [:]
    }

    /// Ends what is under way: the session, and a read that waits without one.
    private mutating func cancel(_ actions: inout [Action]) {
        perform(session.handle(.cancel, at: now, now: now), &actions)
        perform(gate.handle(.withdraw, at: now), &actions)
    }

    private mutating func change(_ settings: TriggerSettings, _ actions: inout [Action]) {
        if settings.mode != trigger.mode {
            cancel(&actions)
            // On a change between modes that always look, a code that stays in view isn't new.
            if settings.mode.isTriggered || trigger.mode.isTriggered { forget(&actions) }
        }
        trigger = settings
        session.settings = settings
        tracker.absence = settings.sameSymbolTimeout
    }

    // MARK: Demands

    private var demands: Demands {
        guard isStarted, !isPaused else { return .none }
        let isReading = !isJournalLost && (!trigger.mode.isTriggered || session.isReading || !lookers.isEmpty)
        // Somebody who aims looks for minutes, and sees what is read easily.
        let isAwaited = trigger.mode.isTriggered && (session.isReading || lookers.contains(.firstPassword))
        return Demands(
            isReading: isReading,
            effort: isReading && isAwaited ? .thorough : .quick,
            camera: isReading ? .run : CameraDemand(idle: idle),
            isPending: isReading && tracker.hasPending,
            wakeAt: [session.deadline, gate.deadline].compactMap { $0 }.min(),
            session: isReading ? session.id : nil)
    }

    private mutating func settle(_ actions: inout [Action]) {
        let new = demands
        let old = told
        told = new
        let camera: [Action] = new.camera == old.camera ? [] : [.camera(new.camera)]
        let isReadingNew =
            (new.isReading, new.effort, new.session) != (old.isReading, old.effort, old.session)
        let reading: [Action] = isReadingNew ? [.reading(isOn: new.isReading, effort: new.effort)] : []
        // The camera starts before reading and stops after it.
        actions += new.camera == .run ? camera + reading : reading + camera
        if new.isPending != old.isPending { actions.append(.pending(new.isPending)) }
        if new.wakeAt != old.wakeAt { actions.append(.wakeAt(new.wakeAt)) }
    }
}
