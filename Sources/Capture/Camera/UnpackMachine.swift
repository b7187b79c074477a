import Vocabulary

/// Decides what happens when a camera's compressed frames can't be decoded, or when the process that decodes them is lost.
///
/// ```
///            a frame decoded                     nothing decoded for `patience`
///   ┌──────────────────────────┐        and enough that wasn't: fail
///   ▼                          │      ┌───────────────────────────────────▶ failed (the capture run is over)
///   sound ── damaged, lost ──▶ troubled
/// ```
///
/// Cables, hubs and a fresh start damage frames now and then: these frames are left out and counted. If it goes on, it is reported once; if
/// nothing readable is left, the run ends with the reason, as with a camera that delivers nothing.
package struct UnpackMachine: Sendable {
    package struct Limits: Hashable, Sendable {
        /// This many damaged frames within `window` are reported.
        package var damagedToTell = 3
        /// After a window without a damaged frame, the next trouble is reported again.
        package var window: Duration = .seconds(10)
        /// The run ends after this long without a decoded frame. Shorter than `capture.frameTimeout`, which doesn't know the reason.
        package var patience: Duration = .seconds(1)
        /// How many damaged frames that takes; one lost process is enough.
        package var damagedToFail = 5
        package var restartFirst: Duration = .milliseconds(100)
        package var restartMax: Duration = .seconds(5)

        package init() {}
    }

    package enum Event: Hashable, Sendable {
        /// The run begins, with a process that is ready.
        case started
        case decoded
        /// The frame was left out; the reason is the end of a sentence.
        case damaged(String)
        /// The process was lost with the frame, or could not be started; why.
        case lost(String)
    }

    package enum Action: Hashable, Sendable {
        /// Sent once, when it goes on.
        case tellDamaged(count: Int, String)
        case tellLost(String)
        /// The last action of a run.
        case fail(String)
    }

    private let limits: Limits
    private var backoff: Backoff
    private var lastDecoded = Instant.zero
    /// Since the last decoded frame.
    private var damagedInARow = 0
    private var lostInARow = 0
    private var windowStart = Instant.zero
    private var damagedInWindow = 0
    private var isTold = false
    private var lastLost: Instant?
    private var restartAt: Instant?
    private var hasFailed = false

    package init(limits: Limits = Limits()) {
        self.limits = limits
        backoff = Backoff(first: limits.restartFirst, longest: limits.restartMax)
    }

    /// Whether another process may be started; until then frames are left out.
    package func mayRestart(at now: Instant) -> Bool { restartAt.map { $0 <= now } ?? true }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        if case .started = event {
            self = UnpackMachine(limits: limits)
            lastDecoded = now
            windowStart = now
            return []
        }
        guard !hasFailed else { return [] }
        turnWindow(at: now)
        switch event {
        case .started: return []
        case .decoded:
            lastDecoded = now
            damagedInARow = 0
            lostInARow = 0
            return []
        case .damaged(let why):
            damagedInARow += 1
            damagedInWindow += 1
            if let failure = failure(why, at: now) { return failure }
            guard !isTold, damagedInWindow >= limits.damagedToTell else { return [] }
            isTold = true
            return [.tellDamaged(count: damagedInWindow, why)]
        case .lost(let why):
            lostInARow += 1
            // A quiet window resets this: pictures that kill a process now and then don't make it start a thousand times.
            if let lastLost, lastLost.duration(to: now) >= limits.window { backoff.reset() }
            lastLost = now
            restartAt = now.advanced(by: backoff.next())
            return failure(why, at: now) ?? [.tellLost(why)]
        }
    }

    private mutating func turnWindow(at now: Instant) {
        guard windowStart.duration(to: now) >= limits.window else { return }
        if damagedInWindow == 0 { isTold = false }
        damagedInWindow = 0
        windowStart = now
    }

    private mutating func failure(_ why: String, at now: Instant) -> [Action]? {
        guard lastDecoded.duration(to: now) >= limits.patience,
            damagedInARow >= limits.damagedToFail || lostInARow > 0
        else { return nil }
        hasFailed = true
        return [.fail(why)]
    }
}
