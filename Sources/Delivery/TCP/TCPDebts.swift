import ScanCore
import Vocabulary

/// What hosts that answer with bytes may still answer: from connections that have ended, and from before the station started.
struct TCPDebts {
    private let memory: AckMemory
    private let rule: OfferLedger.Rule
    /// Whether more than one host may come.
    private let isServer: Bool
    private var debts = RecentParties<String, Debts>()
    /// An earlier process may have left any host something to answer; `nil`: none did.
    private var past: OfferLedger?
    /// The hosts that have inherited that.
    private var met: Set<String> = []
    /// The file's last word; `nil`: nothing was sent yet.
    private var isOwed: Bool?

    init(memory: AckMemory, isServer: Bool, rule: OfferLedger.Rule) {
        self.memory = memory
        self.isServer = isServer
        self.rule = rule
    }

    mutating func begin(at now: Instant) {
        if memory.mayBeOwed() { past = .unknown(at: now, rule: rule) }
    }

    /// A host connects: what it may answer on this connection; `nil`: nothing. `living`: what it owes on older connections, whose end nobody may have
    /// noticed yet.
    mutating func take(of party: String, living: [Debts]) -> Debts? {
        let known = debts[party]
        var all = living + (known.map { [$0] } ?? [])
        debts[party] = nil
        if let past, !met.contains(party), known == nil {
            all.append(Debts(past))
            // Their names aren't collected for ever.
            if met.count < RecentParties<String, Debts>.limit { met.insert(party) }
        }
        guard var sum = all.first else { return nil }
        for other in all.dropFirst() { sum.merge(other) }
        return sum
    }

    /// A host's connection has ended.
    mutating func add(_ owed: Debts, of party: String) {
        var sum = debts[party] ?? owed
        sum.merge(owed)
        debts[party] = sum
    }

    /// `isOwed`: on a living connection.
    mutating func remember(isOwed: Bool) {
        // A server never knows whether all hosts have come that were owed something to answer.
        let isOwed = isOwed || !debts.isEmpty || past != nil && (isServer || met.isEmpty)
        guard isOwed != self.isOwed else { return }
        if self.isOwed == nil, isOwed { memory.begin() } else { memory.save(isOwed ? AckMemory.ever : nil) }
        self.isOwed = isOwed
    }

    /// The station stops, and every connection has been added.
    mutating func end() {
        remember(isOwed: false)
        if isOwed == false { memory.end() }
    }
}
