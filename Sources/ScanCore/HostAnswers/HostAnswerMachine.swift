import Settings
import Vocabulary

/// What the host says to each scan: accepted, refused, or nothing in time.
///
/// ```
///                 answer in time: accepted (relay) or refused
///              ┌──────────────────────────────────────────────────────▶ answered
///   scan ──▶ open ── time-out, the allow-list holds it: accepted ─────────▲ ▲
///              └──── time-out: unanswered ──▶ expired ── answer: accepted ──┘
///                    (only if an answer is expected)      or refused, late, no relay
/// ```
/// An answer comes here with the scan that it belongs to; which one that is, `OfferLedger` decides for answers that don't say.
/// The first verdict counts; another one that contradicts it is told and changes nothing. Nothing old is done late: an answer
/// that comes more than `HostSettings.timeout` after the scan is recorded, and never moves the relay. Whoever answers is told
/// what became of it (`reply`).
package struct HostAnswerMachine: Sendable {
    /// Scans that can still be answered. The oldest gives way: if it was waited for, it counts as unanswered.
    package static let scanLimit = 256
    /// How much later than the time-out its timer may come and the allow-list still move the relay: a busy machine's timers
    /// are late, and a machine that was suspended must not open a door when it wakes up.
    package static let timerTolerance: Duration = .milliseconds(500)
    /// Who answered when the allow-list did; outputs' names are the others.
    package static let allowListName = "allowList"

    package enum Event: Hashable, Sendable {
        /// A scan was kept. `isAllowed`: what the allow-list says to its text; `nil`: there is none.
        case scan(id: String, acceptedAt: Instant, isAllowed: Bool? = nil)
        /// A host's verdict on the scan with this id, come through the output `by`.
        case answer(
            scan: String, isAccepted: Bool, reason: String? = nil, relay: RelayWish = .asConfigured, by: String)
        /// Time has passed.
        case tick
    }

    package enum Pulse: Hashable, Sendable {
        case configured
        case lasting(Duration)
    }

    package enum Action: Hashable, Sendable {
        /// `relay`: move it now; `nil`: leave it. `isLate`: later than the time-out.
        case accepted(scan: String, by: String, relay: Pulse?, isLate: Bool)
        case refused(scan: String, reason: String?, by: String, isLate: Bool)
        /// No verdict came in time.
        case unanswered(scan: String)
        /// A verdict that contradicts the one that counts; nothing is done.
        case contradicted(scan: String, isAccepted: Bool, by: String, first: String)
        /// An answer to a scan that isn't known, or not any more.
        case unknown(scan: String, by: String)
        /// What became of an answer, for whoever sent it; one for each.
        case reply(Outcome)
        /// Feed `tick` at this time; `nil`: no timer is needed any more.
        case wakeAt(Instant?)
    }

    package enum Outcome: Hashable, Sendable {
        /// It is the scan's verdict. `relay`: that the relay is to move now; `nil`: it is left alone.
        case counted(relay: Pulse?)
        /// The scan had this verdict already.
        case repeated
        /// It is on record, but came so long after the scan, more than the time-out: nothing was moved.
        case late(after: Duration, timeout: Duration)
        /// The scan has another verdict, from `first`: this one counts for nothing.
        case contradicts(first: String)
        case unknown
    }

    private enum Phase: Hashable, Sendable {
        /// No verdict yet; `isAwaited`: its time-out will be told.
        case open(isAwaited: Bool)
        /// The time-out was told.
        case expired
        case answered(isAccepted: Bool, by: String)
    }

    private struct Entry: Hashable, Sendable {
        var id: String
        var acceptedAt: Instant
        /// Until an answer is late.
        var timeout: Duration
        var isAllowed: Bool
        var phase: Phase

        var deadline: Instant { acceptedAt.advanced(by: timeout) }
    }

    /// Changes count for scans and answers to come; a scan keeps the time-out that it began with.
    package var settings: HostSettings
    /// In the order of the scans, the latest last.
    private var entries: [Entry] = []
    private var wakeAt: Instant?

    package init(settings: HostSettings) { self.settings = settings }

    /// Scans whose answer is still awaited.
    package var waiting: Int { entries.count { $0.phase == .open(isAwaited: true) } }

    /// Scans that an answer would come in time for, oldest first.
    package func open(at now: Instant) -> [String] {
        entries.filter { entry in
            if case .open = entry.phase { now <= entry.deadline } else { false }
        }.map(\.id)
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action]
        switch event {
        case .scan(let id, let acceptedAt, let isAllowed):
            actions = add(id, acceptedAt, isAllowed: isAllowed ?? false)
        case .answer(let scan, let isAccepted, let reason, let relay, let by):
            // The timer may be late; what it would have said comes first.
            actions = expire(at: now) { $0 < now }
            actions += answer(scan, isAccepted: isAccepted, reason: reason, relay: relay, by: by, at: now)
        case .tick:
            actions = expire(at: now) { $0 <= now }
        }
        return actions + wake(after: event)
    }

    private mutating func add(_ id: String, _ acceptedAt: Instant, isAllowed: Bool) -> [Action] {
        guard !entries.contains(where: { $0.id == id }) else { return [] }
        var actions: [Action] = []
        if entries.count == Self.scanLimit {
            let oldest = entries.removeFirst()
            if oldest.phase == .open(isAwaited: true) { actions.append(.unanswered(scan: oldest.id)) }
        }
        entries.append(
            Entry(
                id: id, acceptedAt: acceptedAt, timeout: settings.timeout, isAllowed: isAllowed,
                phase: .open(isAwaited: settings.expectsAnswer)))
        return actions
    }

    private mutating func answer(
        _ scan: String, isAccepted: Bool, reason: String?, relay: RelayWish, by output: String, at now: Instant
    ) -> [Action] {
        guard let index = entries.lastIndex(where: { $0.id == scan }) else {
            return [.unknown(scan: scan, by: output), .reply(.unknown)]
        }
        let entry = entries[index]
        if case .answered(let first, let by) = entry.phase {
            guard first != isAccepted else { return [.reply(.repeated)] }
            return [
                .contradicted(scan: scan, isAccepted: isAccepted, by: output, first: by),
                .reply(.contradicts(first: by)),
            ]
        }
        entries[index].phase = .answered(isAccepted: isAccepted, by: output)
        let isLate = now > entry.deadline
        let pulse = isAccepted && !isLate ? pulse(relay) : nil
        let outcome =
            isLate
            ? Outcome.late(after: entry.acceptedAt.duration(to: now), timeout: entry.timeout) : .counted(relay: pulse)
        guard isAccepted else {
            return [.refused(scan: scan, reason: reason, by: output, isLate: isLate), .reply(outcome)]
        }
        return [.accepted(scan: scan, by: output, relay: pulse, isLate: isLate), .reply(outcome)]
    }

    private mutating func expire(at now: Instant, _ isOver: (Instant) -> Bool) -> [Action] {
        var actions: [Action] = []
        for index in entries.indices {
            let entry = entries[index]
            guard entry.phase == .open(isAwaited: true), isOver(entry.deadline) else { continue }
            guard entry.isAllowed else {
                entries[index].phase = .expired
                actions.append(.unanswered(scan: entry.id))
                continue
            }
            entries[index].phase = .answered(isAccepted: true, by: Self.allowListName)
            let isLate = now > entry.deadline.advanced(by: Self.timerTolerance)
            actions.append(
                .accepted(
                    scan: entry.id, by: Self.allowListName, relay: isLate ? nil : pulse(.asConfigured), isLate: isLate))
        }
        return actions
    }

    private func pulse(_ wish: RelayWish) -> Pulse? {
        switch wish {
        case .asConfigured: settings.relayOnAccept ? .configured : nil
        case .pulse(let length): length.map(Pulse.lasting) ?? .configured
        case .none: nil
        }
    }

    private mutating func wake(after event: Event) -> [Action] {
        let next = entries.lazy.filter { $0.phase == .open(isAwaited: true) }.map(\.deadline).min()
        // A timer that came too early has to be set again.
        guard next != wakeAt || (event == .tick && next != nil) else { return [] }
        wakeAt = next
        return [.wakeAt(next)]
    }
}
