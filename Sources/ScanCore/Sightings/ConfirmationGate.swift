import Settings
import Vocabulary

/// Holds back what a person must confirm first.
///
///                     offer, needs none: pass
///                    ┌───────┐
///                    ▼       │        offer, needs confirmation: await
///                  (empty) ──┴──────────────────────────────────────▶ waiting ──┐ offer of a code that came into view
///                    ▲                                                  │  ▲    │ later: ended(replaced), then await
///                    └──────────────────────────────────────────────────┘  └────┘ (or pass)
///                       confirm: ended(confirmed), pass · refuse: ended(refused)
///                       deadline: ended(timedOut) · withdraw: ended(withdrawn)
///
/// At most one code waits. A code that was in view already when that one was offered doesn't replace it (`admits` says no): it waits for
/// its own turn. Otherwise two codes side by side would push each other out forever.
package struct ConfirmationGate: Sendable {
    package enum Event: Hashable, Sendable {
        /// A code that `admits` let in; `firstSequence`: of the frame in which it came into view.
        case offer(AcceptedSighting, firstSequence: UInt64)
        case confirm
        case refuse
        /// What the waiting code belonged to is over.
        case withdraw
        /// Time has passed.
        case tick
    }

    package enum Action: Hashable, Sendable {
        case pass(AcceptedSighting)
        case await(AcceptedSighting)
        case ended(AcceptedSighting, ConfirmationEnd)
    }

    /// Applies to offers to come.
    package var settings: ConfirmationSettings
    package private(set) var waiting: AcceptedSighting?
    /// When the waiting code is given up.
    package private(set) var deadline: Instant?

    package init(settings: ConfirmationSettings) { self.settings = settings }

    /// Whether a code that came into view in frame `firstSequence` may be offered now.
    package func admits(_ symbology: Symbology, firstSequence: UInt64) -> Bool {
        guard let waiting, settings.needsConfirmation(symbology) else { return true }
        return firstSequence > waiting.frame.sequence
    }

    package mutating func handle(_ event: Event, at instant: Instant) -> [Action] {
        switch event {
        case .offer(let sighting, let firstSequence): return offer(sighting, firstSequence, at: instant)
        case .confirm:
            guard var sighting = waiting else { return [] }
            let ended = end(.confirmed)
            sighting.acceptedAt = instant
            return ended + [.pass(sighting)]
        case .refuse: return end(.refused)
        case .withdraw: return end(.withdrawn)
        case .tick:
            guard let deadline, instant >= deadline else { return [] }
            return end(.timedOut)
        }
    }

    private mutating func offer(
        _ sighting: AcceptedSighting, _ firstSequence: UInt64, at instant: Instant
    ) -> [Action] {
        let isNewer = waiting.map { firstSequence > $0.frame.sequence } ?? true
        guard settings.needsConfirmation(sighting.symbol.symbology) else {
            return (isNewer ? end(.replaced) : []) + [.pass(sighting)]
        }
        guard isNewer else { return [] }
        let ended = end(.replaced)
        waiting = sighting
        deadline = instant.advanced(by: settings.timeout)
        return ended + [.await(sighting)]
    }

    private mutating func end(_ end: ConfirmationEnd) -> [Action] {
        guard let sighting = waiting else { return [] }
        waiting = nil
        deadline = nil
        return [.ended(sighting, end)]
    }
}
