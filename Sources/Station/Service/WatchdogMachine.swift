import Vocabulary

/// Decides when the service manager's watchdog is fed: only on an answer from the scan loop, and only while all its parts get on with their
/// work.
///
/// ```
///            due: ask                answered, all parts at work: feed
///   idle ──────────────▶ asked ────────────────────────────────────────▶ idle
///                          │  answered, a part stands still (two looks in a row): no feed
///                          │  due again, no answer: no feed; reported once that is older than `patience`
/// ```
///
/// A timer that fed the watchdog would prove that timers work. So `due` alone never feeds it.
package struct WatchdogMachine: Sendable {
    package enum Event: Hashable, Sendable {
        /// The time for the next question has come.
        case due
        /// The scan loop's answer to that question.
        case answered(UInt64, WatchdogLook)
    }

    /// Why the watchdog isn't fed.
    package enum Stall: Hashable, Sendable {
        case loopSilent(for: Duration)
        /// It has work but gets none of it done.
        case part(String, for: Duration)
    }

    package enum Action: Hashable, Sendable {
        case ask(UInt64)
        case feed
        /// Repeated with each `due` or answer while it stays like this.
        case tell(Stall)
        case tellOver
    }

    private struct Progress {
        var given: UInt64
        var done: UInt64
        /// Since when it has had work without getting anything done.
        var since: Instant
        /// It was too slow at the previous look, too. One look isn't enough: the machine may have slept in between.
        var isSuspect = false
    }

    /// An answer that takes longer is reported.
    package let patience: Duration
    private var question: UInt64 = 0
    private var askedAt: Instant?
    private var parts: [String: Progress] = [:]
    private var isStalled = false

    /// - Parameter limit: the time after which the service manager acts if it isn't fed.
    package init(limit: Duration) { patience = limit / 2 }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .due:
            guard let askedAt else {
                question += 1
                self.askedAt = now
                return [.ask(question)]
            }
            let silence = askedAt.duration(to: now)
            guard silence > patience else { return [] }
            isStalled = true
            return [.tell(.loopSilent(for: silence))]
        case .answered(let number, let look):
            guard number == question, askedAt != nil else { return [] }
            askedAt = nil
            // All of them, so that each has been looked at twice when it matters.
            let stalls = look.duties.compactMap { stall(of: $0, at: now) }
            if let stall = stalls.first {
                isStalled = true
                return [.tell(stall)]
            }
            defer { isStalled = false }
            return isStalled ? [.feed, .tellOver] : [.feed]
        }
    }

    private mutating func stall(of duty: WatchdogLook.Duty, at now: Instant) -> Stall? {
        guard var progress = parts[duty.part], progress.done == duty.done, progress.given != duty.given else {
            parts[duty.part] = Progress(given: duty.given, done: duty.done, since: now)
            return nil
        }
        progress.given = duty.given
        defer { parts[duty.part] = progress }
        let wait = progress.since.duration(to: now)
        guard wait > duty.patience else { return nil }
        guard progress.isSuspect else {
            progress.isSuspect = true
            return nil
        }
        return .part(duty.part, for: wait)
    }
}
