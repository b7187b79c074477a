import Vocabulary

/// What programs may still answer in JSON, without naming it, that they were sent on connections which have ended: one that comes back may answer it
/// on the next. Also what they have said there, and may say again by id.
package struct RetiredLedgers<Key: Hashable & Sendable>: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var ledger: OfferLedger
        /// When it was last added to.
        var at: Instant
        /// How long the program has been connected since.
        var connected = Duration.zero

        /// For how long a connection counts. One that has said nothing doesn't: it may be another program's, which only listens; nor does one that
        /// was open before: it isn't there that the program would answer.
        func time(on connection: OfferLedger, openedAt: Instant, at now: Instant) -> Duration {
            connection.hasAnswered && openedAt >= at ? openedAt.duration(to: now) : .zero
        }

        /// On one connection, or in pieces, so that a program that comes and goes all the time doesn't owe for ever.
        func isOver(_ connection: OfferLedger, openedAt: Instant, at now: Instant) -> Bool {
            let connected = time(on: connection, openedAt: openedAt, at: now)
            return connected >= OfferLedger.inheritance || self.connected + connected >= OfferLedger.inheritance * 6
        }
    }

    /// Apart, as each ends in its own time: what may only be said again doesn't make old debts new, nor pushes out those of others.
    private var debts = RecentParties<Key, Entry>()
    private var sayings = RecentParties<Key, Entry>()

    package init() {}

    /// A program connects: the ledger of its new connection. `living`: those of its older connections, whose end nobody may have noticed yet. What
    /// has ended stays here: another connection of the same party, perhaps of another program, may come first.
    package func ledger(
        for key: Key?, living: [(ledger: OfferLedger, openedAt: Instant)], rule: OfferLedger.Rule, at now: Instant
    ) -> OfferLedger {
        var ledger = OfferLedger(rule: rule)
        guard let key else { return ledger }
        for older in living { ledger.inherit(older.ledger.left(at: now), at: now) }
        for entry in [debts[key], sayings[key]].compactMap(\.self)
        where !living.contains(where: { entry.isOver($0.ledger, openedAt: $0.openedAt, at: now) }) {
            ledger.inherit(entry.ledger, at: now)
        }
        return ledger
    }

    /// A program's connection, opened then, has ended.
    package mutating func retire(_ ledger: OfferLedger, of key: Key?, openedAt: Instant, at now: Instant) {
        guard let key else { return }
        let left = ledger.left(at: now)
        debts[key] = entry(debts[key], of: ledger, openedAt, leaves: left.isSettled ? nil : left.debts, at: now)
        sayings[key] = entry(sayings[key], of: ledger, openedAt, leaves: left.mayRepeat ? left.sayings : nil, at: now)
    }

    /// What becomes of an entry when a connection has ended and leaves this.
    private func entry(
        _ known: Entry?, of connection: OfferLedger, _ openedAt: Instant, leaves left: OfferLedger?, at now: Instant
    ) -> Entry? {
        var entry = known
        if entry?.isOver(connection, openedAt: openedAt, at: now) == true { entry = nil }
        if let known = entry { entry?.connected += known.time(on: connection, openedAt: openedAt, at: now) }
        guard let left else { return entry }
        var merged = entry?.ledger ?? OfferLedger()
        merged.merge(left)
        return Entry(ledger: merged, at: now)
    }
}
