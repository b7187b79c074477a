import Settings
import Vocabulary

/// Opens and ends sessions, one at a time.
///
///                     begin                      scanned, as many as `maxScans`
///          ┌─▶ idle ─────────▶ reading ──────────────────────────────────────────▶ idle
///          │                     │  │ time-out, nothing waits: noRead(timeout) ────▶ idle
///          │                     │  │ time-out, a read waits for its confirmation ─▶ awaiting
///          │                     │  │ second press (pulse, `pulseCancels`): noRead(cancelled) ─▶ idle
///          │                     │  └ the camera fails: noRead(cameraLost) ────────▶ idle (a read waits: awaiting)
///          │                     │ release (level, host; in pulse by command)
///          │                     ▼
///          │                 releasing: frames exposed before the release may still answer, for `releaseGrace`
///          │                     │ scanned ────────────────────────────────────────▶ idle
///          │                     │ grace is over: noRead(released), or awaiting
///          │                     │ begin: noRead(released), and a new session
///          │                     ▼
///          └──────────────── awaiting: reading is over, a confirmation decides
///             scanned ─▶ idle · refused, unconfirmed: noRead ─▶ idle · begin: noRead(unconfirmed), and a new session
///
/// From every state, `cancel` leads to idle with noRead(cancelled). If the session already has scans, the outcome is `scanned(n)` instead
/// of a no-read. In `presentation` and `continuous` it stays idle.
package struct TriggerSession: Sendable {
    package enum Event: Hashable, Sendable {
        /// Button down or up. `at` is the edge.
        case pressed, released
        /// Commands. `at` is their arrival.
        case trigger, release
        /// One of the session's reads became a scan.
        case scanned
        /// One of the session's reads waits for a confirmation.
        case awaiting
        /// The waiting read was confirmed, or replaced by another: nothing waits now.
        case answered
        /// The waiting read was given up: `unconfirmed` or `refusedConfirmation`. Ends the session.
        case givenUp(NoReadReason)
        case cameraLost
        case cancel
        /// Time has passed.
        case tick
    }

    package enum Action: Hashable, Sendable {
        case started(UInt64)
        /// With the time from the trigger to the end.
        case ended(UInt64, SessionOutcome, after: Duration)
    }

    /// Apply to sessions to come; the mode applies at once, so `cancel` before changing it.
    package var settings: TriggerSettings

    private var phase = Phase.idle
    private var nextID: UInt64 = 1

    private enum Phase: Hashable {
        case idle
        case reading(Session, until: Instant)
        case releasing(Session, releasedAt: Instant, until: Instant)
        case awaiting(Session)
    }

    private struct Session: Hashable {
        let id: UInt64
        /// The trigger edge.
        let openedAt: Instant
        let settings: TriggerSettings
        var scans = 0
        /// A read waits for its confirmation.
        var isAwaiting = false
    }

    package init(settings: TriggerSettings) { self.settings = settings }

    /// The open session's id.
    package var id: UInt64? { open?.id }

    /// Whether frames are wanted.
    package var isReading: Bool {
        switch phase {
        case .reading, .releasing: true
        case .idle, .awaiting: false
        }
    }

    package var deadline: Instant? {
        switch phase {
        case .reading(_, let until), .releasing(_, _, let until): until
        case .idle, .awaiting: nil
        }
    }

    /// Cause before effect: whether a frame whose exposure began then may answer the open session.
    package func admits(exposedAt: Instant) -> Bool {
        switch phase {
        case .reading(let session, _): exposedAt >= session.openedAt
        case .releasing(let session, let releasedAt, _): exposedAt >= session.openedAt && exposedAt <= releasedAt
        case .idle, .awaiting: false
        }
    }

    /// - Parameters:
    ///   - at: the edge of a trigger or release, else `now`.
    ///   - now: never earlier than in the call before.
    package mutating func handle(_ event: Event, at instant: Instant, now: Instant) -> [Action] {
        switch event {
        case .pressed:
            guard settings.mode == .level || settings.mode == .pulse else { return [] }
            if case .reading(let session, _) = phase, settings.mode == .pulse, session.settings.pulseCancels {
                return end(.cancelled, at: instant)
            }
            return begin(at: instant)
        case .trigger: return settings.mode.isTriggered ? begin(at: instant) : []
        case .released:
            if settings.mode == .level { release(at: instant, now: now) }
            return []
        case .release:
            release(at: instant, now: now)
            return []
        case .scanned: return scanned(at: now)
        case .awaiting: setAwaiting(true)
        case .answered: setAwaiting(false)
        case .givenUp(let reason): return end(reason, at: now)
        case .cameraLost:
            guard isReading else { return [] }
            return stopReading(.cameraLost, at: now)
        case .cancel: return end(.cancelled, at: now)
        case .tick: return tick(now)
        }
        return []
    }

    // MARK: Transitions

    private var open: Session? {
        switch phase {
        case .idle: nil
        case .reading(let session, _), .releasing(let session, _, _), .awaiting(let session): session
        }
    }

    private mutating func begin(at edge: Instant) -> [Action] {
        var actions: [Action] = []
        switch phase {
        case .idle: break
        case .reading: return []
        case .releasing(let session, _, _): actions = end(session.isAwaiting ? .unconfirmed : .released, at: edge)
        case .awaiting: actions = end(.unconfirmed, at: edge)
        }
        let session = Session(id: nextID, openedAt: edge, settings: settings)
        nextID += 1
        phase = .reading(session, until: edge.advanced(by: settings.timeout))
        return actions + [.started(session.id)]
    }

    private mutating func release(at edge: Instant, now: Instant) {
        guard case .reading(let session, let until) = phase else { return }
        // The grace runs from now: the edge may arrive late, and its frames are still on their way. It never outlasts the session's own
        // time.
        let graceEnd = now.advanced(by: session.settings.releaseGrace)
        phase = .releasing(session, releasedAt: max(edge, session.openedAt), until: min(graceEnd, until))
    }

    private mutating func scanned(at now: Instant) -> [Action] {
        guard var session = open else { return [] }
        session.scans += 1
        replaceOpen(session)
        let isComplete = session.scans >= max(1, session.settings.maxScans)
        return isComplete || !isReading ? end(.timeout, at: now) : []
    }

    private mutating func setAwaiting(_ isAwaiting: Bool) {
        guard var session = open else { return }
        session.isAwaiting = isAwaiting
        replaceOpen(session)
    }

    private mutating func tick(_ now: Instant) -> [Action] {
        switch phase {
        case .reading(_, let until) where now >= until: return stopReading(.timeout, at: now)
        case .releasing(_, _, let until) where now >= until: return stopReading(.released, at: now)
        default: return []
        }
    }

    /// No more frames: the session ends, unless one of its reads waits for a confirmation.
    private mutating func stopReading(_ reason: NoReadReason, at now: Instant) -> [Action] {
        guard let session = open else { return [] }
        guard session.isAwaiting else { return end(reason, at: now) }
        phase = .awaiting(session)
        return []
    }

    private mutating func replaceOpen(_ session: Session) {
        switch phase {
        case .idle: break
        case .reading(_, let until): phase = .reading(session, until: until)
        case .releasing(_, let releasedAt, let until):
            phase = .releasing(session, releasedAt: releasedAt, until: until)
        case .awaiting: phase = .awaiting(session)
        }
    }

    /// `reason` is for a session without scans.
    private mutating func end(_ reason: NoReadReason, at instant: Instant) -> [Action] {
        guard let session = open else { return [] }
        phase = .idle
        let outcome: SessionOutcome = session.scans > 0 ? .scanned(session.scans) : .noRead(reason)
        let duration = max(.zero, session.openedAt.duration(to: instant))
        return [.ended(session.id, outcome, after: duration)]
    }
}
