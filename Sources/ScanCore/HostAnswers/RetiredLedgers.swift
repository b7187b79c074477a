import Vocabulary

/// What programs may still answer in JSON, without naming it, that they were sent on connections which have ended: one that comes back may answer it
/// on the next.
package struct RetiredLedgers<Key: Hashable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var ledger: OfferLedger
        /// When it was last added to.
        var at: Instant
        /// How long the program has been connected since.
        var connected = Duration.zero

        /// On one connection, or in pieces, so that a program that comes and goes all the time doesn't owe for ever.
        /// Another connection that was open before doesn't count: it isn't there that the program would answer.
        func isOver(connectedSince openedAt: Instant, at now: Instant) -> Bool {
            guard openedAt >= at else { return false }
            let connected = openedAt.duration(to: now)
            return connected >= OfferLedger.inheritance || self.connected + connected >= OfferLedger.inheritance * 6
        }
    }

    private var entries = RecentParties<Key, Entry>()

    package init() {}

    /// A program connects: the ledger of its new connection. `living`: those of its older connections, whose end nobody may have noticed yet. What
    /// has ended stays here: another connection of the same party, perhaps of another program, may come first.
    package func ledger(
        for key: Key?, living: [(ledger: OfferLedger, openedAt: Instant)], rule: OfferLedger.Rule, at now: Instant
    ) -> OfferLedger {
        var ledger = OfferLedger(rule: rule)
        guard let key else { return ledger }
        for older in living { ledger.inherit(older.ledger.left(at: now), at: now) }
        if let entry = entries[key], !living.contains(where: { entry.isOver(connectedSince: $0.openedAt, at: now) }) {
            ledger.inherit(entry.ledger, at: now)
        }
        return ledger
    }

    /// A program's connection, opened then, has ended.
    package mutating func retire(_ ledger: OfferLedger, of key: Key?, openedAt: Instant, at now: Instant) {
        guard let key else { return }
        var entry = entries[key]
        if entry?.isOver(connectedSince: openedAt, at: now) == true { entry = nil }
        if let known = entry, openedAt >= known.at { entry?.connected += openedAt.duration(to: now) }
        let left = ledger.left(at: now)
        if !left.isSettled || left.mayRepeat {
            var merged = entry?.ledger ?? OfferLedger()
            merged.merge(left)
            if let known = entry, left.isSettled {
                // What may only be said again doesn't make old debts new.
                entry = Entry(ledger: merged, at: known.at, connected: known.connected)
            } else {
                entry = Entry(ledger: merged, at: now)
            }
        }
        entries[key] = entry
    }
}
