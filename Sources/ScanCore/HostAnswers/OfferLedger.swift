import Vocabulary

/// Which scan does an answer belong to? The rule for answers that name no scan: ACK and NAK bytes, `{"command":"accept"}`.
///
/// A ledger stands for one party at the other end: a serial line, one connection, one program. The party is assumed to answer in the order
/// in which it was asked, and each offer at most once; any offer and any answer may get lost on the way. So an answer that names no scan
/// belongs to one of the offers that are still owed one, and nobody can tell which. It counts for a scan only if every owed offer is of
/// that scan:
///
/// ```
///   owed        answer that names no scan        still owed
///   a           belongs to a                     nothing
///   a a         belongs to a (a repeat of it)    a
///   a b         ambiguous: counts for nothing    b          the oldest is taken off, whichever was meant
///   nothing     unasked: counts for nothing      nothing    the party answers more often than it is asked
/// ```
/// There is an exception: hosts sometimes answer twice, the second time right after the first. So an answer within `turnaround` of another
/// one may be a repeat of it. It pays nothing off, and counts only if both can belong to only one scan.
///
/// Taking off the oldest never leaves too little owed, so that later answers are counted correctly, too: an answer can't belong to an offer
/// older than the oldest that is owed, and the newest scan's offers are the last ones. An answer that names its scan belongs to that scan;
/// it pays off one of the scan's offers.
///
/// A party that connects again may still answer here what it was sent on an earlier connection (`inherit`): that is older than anything it
/// is sent here, so it is paid off first, and after a minute it is over.
package struct OfferLedger: Hashable, Sendable {
    /// How many offers are remembered. Of older ones only the scans are, and not many: any answer may be theirs, until they are forgiven.
    package static let limit = 256
    /// An answer that comes this soon after another one may be a second one to the same offer (two characters at 9600 baud take 2 ms, and a
    /// USB adapter delivers every 16 ms).
    package static let turnaround: Duration = .milliseconds(20)

    /// What counts as owed. All except `everyOffer` are the faults that this type exists to prevent: tests and `make stress` build them in
    /// to check that they find them. No setting leads to one.
    package enum Rule: String, CaseIterable, Hashable, Sendable {
        case everyOffer
        /// Each answer is assigned to the latest offer.
        case lastOnly
        /// A second answer right after the first is assigned to the next offer.
        case doublesCount
    }

    package enum Owner: Hashable, Sendable {
        case scan(String)
        /// It may belong to any of this many scans.
        case ambiguous(scans: Int)
        /// Nothing was owed.
        case unasked
        /// Nothing that names no scan counts any more: the party has answered unasked, and may do so again.
        case untrusted
    }

    private struct Offer: Hashable, Sendable {
        var scan: String
        var at: Instant
        /// Made while something inherited could still be answered, or while it isn't known how much of that was.
        var isUncertain = false
    }

    /// Offers of earlier connections, oldest first.
    private struct Inheritance: Hashable, Sendable {
        var owed: [Offer] = []
        var until = Instant.zero
        /// How many answers were taken for inherited ones and may have been to uncertain ones. So many of those may be owed nothing.
        var mistakes = 0
        /// While there are some: when the party was last sent something, or said something.
        var exchangedAt = Instant.zero
    }

    private struct Answer: Hashable, Sendable {
        /// The scans that it may belong to.
        var scans: Set<String>
        var at: Instant
    }

    private let rule: Rule
    /// Oldest first.
    private var owed: [Offer] = []
    /// The scans of offers beyond `limit`, with when the newest such offer of each was made.
    private var dropped: [String: Instant] = [:]
    /// More scans were dropped than are remembered, the newest of them then: no answer can be assigned until everything is forgiven.
    private var overflowedAt: Instant?
    private var inherited = Inheritance()
    private static let droppedLimit = 16
    private var hasAnswered = false
    private var hasAnsweredUnasked = false
    /// The latest answer that named no scan.
    private var latest: Answer?

    package init(rule: Rule = .everyOffer) { self.rule = rule }

    /// It may owe anything that was sent before now.
    package static func unknown(at now: Instant, rule: Rule = .everyOffer) -> OfferLedger {
        var ledger = OfferLedger(rule: rule)
        if rule == .everyOffer { ledger.overflowedAt = now }
        return ledger
    }

    /// The party was sent this scan, perhaps again.
    package mutating func offered(_ scan: String, at now: Instant) {
        if rule == .lastOnly { owed = [] }
        endInheritance(at: now)
        owed.append(Offer(scan: scan, at: now, isUncertain: !inherited.owed.isEmpty || inherited.mistakes > 0))
        noteExchange(at: now)
        drop()
    }

    /// A host that is away for long is offered one scan again and again.
    private mutating func drop() {
        while owed.count > Self.limit {
            let oldest = owed.removeFirst()
            dropped[oldest.scan] = max(dropped[oldest.scan] ?? oldest.at, oldest.at)
        }
        guard dropped.count > Self.droppedLimit else { return }
        overflowedAt = max(overflowedAt ?? .zero, dropped.values.max() ?? .zero)
        dropped = [:]
    }

    /// The party answered without naming a scan.
    /// - Parameter paysNewest: of several offers of one scan, the answer is taken for that to the newest: older ones were made on a connection
    ///   that has ended, and are forgiven sooner.
    package mutating func answered(at now: Instant, paysNewest: Bool = false) -> Owner {
        hasAnswered = true
        endInheritance(at: now)
        let said = saidRightBefore(now)
        let meant = scans.union(inherited.owed.map(\.scan)).union(said ?? [])
        latest = Answer(scans: meant, at: now)
        let oldest = inherited.owed.first?.scan ?? owed.first?.scan ?? dropped.keys.first
        guard oldest != nil || overflowedAt != nil else {
            defer { hasAnsweredUnasked = true }
            return hasAnsweredUnasked ? .untrusted : .unasked
        }
        if said == nil { pay(newest: paysNewest && meant.count == 1) }
        noteExchange(at: now)
        if hasAnsweredUnasked { return .untrusted }
        guard overflowedAt == nil, meant.count == 1, let oldest else { return .ambiguous(scans: meant.count) }
        return .scan(oldest)
    }

    private mutating func pay(newest: Bool) {
        guard inherited.owed.isEmpty else {
            if owed.contains(where: \.isUncertain) { inherited.mistakes += 1 }
            inherited.owed.removeFirst()
            return
        }
        // What was dropped is older than anything that is owed, and how much it was isn't known.
        guard let oldest = owed.first?.scan, dropped.keys.allSatisfy({ $0 == oldest }) else { return }
        if newest { owed.removeLast() } else { owed.removeFirst() }
    }

    /// The scans of the previous answer, if this one may be a repeat of it.
    private func saidRightBefore(_ now: Instant) -> Set<String>? {
        guard rule != .doublesCount, let latest, now < latest.at.advanced(by: Self.turnaround) else { return nil }
        return latest.scans
    }

    /// The party answered, and named the scan.
    package mutating func answered(naming scan: String, at now: Instant) {
        hasAnswered = true
        endInheritance(at: now)
        defer { noteExchange(at: now) }
        if let index = inherited.owed.firstIndex(where: { $0.scan == scan }) {
            inherited.owed.remove(at: index)
        } else if let index = owed.firstIndex(where: { $0.scan == scan }) {
            owed.remove(at: index)
        }
    }

    /// Answers to offers made before `moment` can't come any more, except for the scan `spared`.
    package mutating func forgive(before moment: Instant, sparing spared: String? = nil) {
        owed.removeAll { $0.at < moment && $0.scan != spared }
        dropped = dropped.filter { $0.value >= moment || $0.key == spared }
        if let overflowedAt, overflowedAt < moment { self.overflowedAt = nil }
    }

    /// Answers unasked are forgotten, too: the party has been silent for long enough.
    package mutating func trustAgain() {
        hasAnsweredUnasked = false
    }

    /// The same party is owed these, too: it was sent them on another connection.
    package mutating func merge(_ other: OfferLedger) {
        owed = (owed + other.owed.filter { !owed.contains($0) }).sorted { $0.at < $1.at }
        dropped.merge(other.dropped, uniquingKeysWith: max)
        overflowedAt = [overflowedAt, other.overflowedAt].compactMap(\.self).max()
        drop()
        hasAnsweredUnasked = hasAnsweredUnasked || other.hasAnsweredUnasked
    }

    /// The scans that are owed an answer.
    package var scans: Set<String> { Set(owed.map(\.scan)).union(dropped.keys) }

    /// How long a party that has connected again may take to answer what it was sent on an earlier connection: one that means an older scan has
    /// answered it by then, or never will. It is also how long before that it may have been sent.
    package static let inheritance: Duration = .seconds(60)

    /// The party connects, and may answer here what `earlier` owes.
    package mutating func inherit(_ earlier: OfferLedger, at now: Instant) {
        let all = inherited.owed + earlier.owed.filter { !inherited.owed.contains($0) }
        inherited.owed = all.sorted { $0.at < $1.at }
        inherited.until = now.advanced(by: Self.inheritance)
    }

    /// What the party may still answer on its next connection; what it has inherited itself isn't in it. One that has answered nothing may only listen: then
    /// it is what it was sent in the last minute.
    package func left(at now: Instant) -> OfferLedger {
        var left = OfferLedger(rule: rule)
        let since = now.advanced(by: .zero - Self.inheritance)
        left.owed = hasAnswered ? owed : owed.filter { $0.at >= since }
        return left
    }

    private mutating func endInheritance(at now: Instant) {
        if now >= inherited.until { inherited.owed = [] }
        guard inherited.mistakes > 0 else { return }
        // A party that was neither sent anything nor said anything for so long has nothing more to say to what is owed wrongly.
        if inherited.exchangedAt.advanced(by: Self.inheritance) <= now {
            while inherited.mistakes > 0, let index = owed.firstIndex(where: \.isUncertain) {
                owed.remove(at: index)
                inherited.mistakes -= 1
            }
        }
        if !owed.contains(where: \.isUncertain) { inherited.mistakes = 0 }
    }

    private mutating func noteExchange(at now: Instant) {
        if inherited.mistakes > 0 { inherited.exchangedAt = now }
    }

    /// It may owe what nobody has written down: which scans, or how often.
    package var isUnknown: Bool { overflowedAt != nil || !dropped.isEmpty }

    package var isTrusted: Bool { !hasAnsweredUnasked }

    /// Nothing is owed, and the party has not answered unasked.
    package var isSettled: Bool { owed.isEmpty && dropped.isEmpty && overflowedAt == nil && !hasAnsweredUnasked }

    /// When the newest owed offer of a scan other than this one was made; `nil`: there is none.
    package func newestOffer(besides scan: String? = nil) -> Instant? {
        owed.last { $0.scan != scan }?.at ?? dropped.filter { $0.key != scan }.values.max()
    }

    /// Whether an offer of another scan than this one was made before `moment`.
    package func owes(before moment: Instant, besides scan: String) -> Bool {
        owed.contains { $0.at < moment && $0.scan != scan } || dropped.contains { $0.value < moment && $0.key != scan }
            || overflowedAt.map { $0 < moment } ?? false
    }
}
