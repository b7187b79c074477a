import Settings
import Vocabulary

/// What the host says about each scan: accepted, refused, or nothing in time.
///
/// ```
///                 answer in time: accepted (relay) or refused
///              ┌──────────────────────────────────────────────────────▶ answered
///   scan ──▶ open ── time-out, the allow-list holds it: accepted ─────────▲ ▲
///              └──── time-out: unanswered ──▶ expired ── answer: accepted ──┘
///                    (only if an answer is expected)      or refused, late, no relay
/// ```
/// An answer comes here with its scan; for answers that don't name one, `OfferLedger` has decided which. The first verdict counts; a later
/// one that contradicts it is reported and changes nothing. Nothing takes effect late: an answer that comes more than
/// `HostSettings.timeout` after the scan is recorded and never moves the relay. The sender hears what became of the answer (`reply`).
/// The list answers for hosts that are silent: once a host has objected, it doesn't answer for any scan that may be meant.
package struct HostAnswerMachine: Hashable, Sendable {
    /// How many scans can still be answered; then the oldest is dropped. If an answer to it was awaited, it counts as unanswered.
    package static let scanLimit = 256
    /// How late the time-out's timer may come for the allow-list still to move the relay: a busy machine's timers are late, but a machine
    /// that was suspended must not open a door when it wakes up.
    package static let timerTolerance: Duration = .milliseconds(500)
    /// The name for the allow-list as the one who answered; others are outputs' names.
    package static let allowListName = "allowList"

    package enum Event: Hashable, Sendable {
        /// A scan was kept. `isAllowed`: what the allow-list says about its text; `nil`: there is no list.
        case scan(id: String, acceptedAt: Instant, isAllowed: Bool? = nil)
        /// A host's verdict on the scan with this id, through the output `by`.
        case answer(
            scan: String, isAccepted: Bool, reason: String? = nil, relay: RelayWish = .asConfigured, by: String)
        /// A host refuses, and it isn't known for good which of these scans it means, or it may still think better of it; `nil`: any scan that can
        /// still be answered.
        case objection(scans: Set<String>?)
        /// Time has passed.
        case tick
    }

    package enum Pulse: Hashable, Sendable {
        case configured
        case lasting(Duration)
    }

    package enum Action: Hashable, Sendable {
        /// `relay`: move it now; `nil`: don't. `isLate`: later than the time-out.
        case accepted(scan: String, by: String, relay: Pulse?, isLate: Bool)
        case refused(scan: String, reason: String?, by: String, isLate: Bool)
        /// No verdict came in time.
        case unanswered(scan: String)
        /// A verdict that contradicts the one that counts; nothing is done.
        case contradicted(scan: String, isAccepted: Bool, by: String, first: String)
        /// An answer to a scan that isn't known (any more).
        case unknown(scan: String, by: String)
        /// What became of an answer, for its sender; one for each.
        case reply(Outcome)
        /// Feed `tick` at this time; `nil`: no timer is needed any more.
        case wakeAt(Instant?)
    }

    package enum Outcome: Hashable, Sendable {
        /// It is the scan's verdict. `relay`: the relay moves now; `nil`: it doesn't.
        case counted(relay: Pulse?)
        /// The scan had this verdict already.
        case repeated
        /// It is on record, but came this long after the scan, more than the time-out: nothing moved.
        case late(after: Duration, timeout: Duration)
        /// The scan has another verdict, from `first`: this one doesn't count.
        case contradicts(first: String)
        case unknown
    }

    private enum Phase: Hashable, Sendable {
        /// No verdict yet; `isAwaited`: its time-out will be reported.
        case open(isAwaited: Bool)
        /// The time-out was reported.
        case expired
        case answered(isAccepted: Bool, by: String)
    }

    private struct Entry: Hashable, Sendable {
        var id: String
        var acceptedAt: Instant
        /// Until an answer is late.
        var timeout: Duration
        /// The allow-list holds it, and no host has objected.
        var isAllowed: Bool
        var phase: Phase

        var deadline: Instant { acceptedAt.advanced(by: timeout) }
    }

    /// Changes apply to scans and answers to come; a scan keeps the time-out that it began with.
    package var settings: HostSettings
    /// In the order of the scans, the latest last.
    private var entries: [Entry] = []
    private var wakeAt: Instant?

    package init(settings: HostSettings) { self.settings = settings }

    /// Scans whose answer is still awaited.
    package var waiting: Int { entries.count { $0.phase == .open(isAwaited: true) } }

    /// Scans that can still be answered in time, oldest first.
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
            // The timer may be late; what it would have caused comes first.
            actions = expire(at: now) { $0 < now }
            actions += answer(scan, isAccepted: isAccepted, reason: reason, relay: relay, by: by, at: now)
        case .objection(let scans):
            // As for an answer.
            actions = expire(at: now) { $0 < now }
            for index in entries.indices where scans?.contains(entries[index].id) ?? true {
                entries[index].isAllowed = false
            }
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
