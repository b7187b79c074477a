/// What disconnected programs may still answer, by program: one that comes back may answer what it was sent on an earlier connection.
package struct RetiredLedgers<Key: Hashable & Sendable>: Sendable {
    /// How many programs are remembered; then the oldest are forgotten.
    static var limit: Int { 64 }

    private var ledgers: [Key: OfferLedger] = [:]
    /// Oldest first.
    private var order: [Key] = []

    package init() {}

    /// A program's connection has ended.
    package mutating func retire(_ ledger: OfferLedger, of key: Key?) {
        guard let key, !ledger.isSettled else { return }
        var ledger = ledger
        ledger.disinherit()
        guard ledgers[key] == nil else {
            ledgers[key]?.merge(ledger)
            return
        }
        ledgers[key] = ledger
        order.append(key)
        if order.count > Self.limit { ledgers[order.removeFirst()] = nil }
    }

    /// What a connecting program may still answer from before.
    package mutating func recall(_ key: Key?) -> OfferLedger? {
        guard let key, let ledger = ledgers.removeValue(forKey: key) else { return nil }
        order.removeAll { $0 == key }
        return ledger
    }
}
