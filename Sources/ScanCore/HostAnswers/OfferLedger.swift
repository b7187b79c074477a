import Vocabulary

/// Which scan does an answer belong to? The rule for answers that name no scan: ACK and NAK bytes, `{"command":"accept"}`.
///
/// A ledger stands for one party at the other end: a serial line, one connection, one program. A line is assumed to answer in the order
/// in which it was asked, and each party each offer at most once; any offer and any answer may get lost on the way. So an answer that names no scan
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
/// one may be a repeat of it. It pays nothing off, and counts only if both can belong to only one scan. If it wasn't one, too much is owed from then on.
///
/// Taking off the oldest never leaves too little owed by one that answers in order, so that later answers are counted correctly, too: an answer can't
/// belong to an offer older than the oldest that is owed, and the newest scan's offers are the last ones. A program that has several threads may answer in
/// another order: so of a program, no answer counts for a scan that an ambiguous one may have been to (`doubted`). An answer that names its scan belongs to that scan;
/// it pays off one of the scan's offers, unless it may be an answer that was said before: then it pays off the very offer that one may have been to. Hosts
/// are told to say again by id what didn't count; and what did count may be over (late, or its relay is moving) and told as no success.
///
/// A program that connects again may still answer here what it was sent on an earlier connection (`inherit`): that is older than anything it
/// is sent here, so it is paid off first, and over after a time (`inheritance`). A program that has answered, and then neither answered nor was sent a scan for as long,
/// has no more to say: nothing is owed any more, so that too much isn't owed for ever.
package struct OfferLedger: Hashable, Sendable {
    /// How many offers are remembered. Of older ones only the scans are, and not many: any answer may be theirs, until they are forgiven (a line's), or
    /// the program has no more to say.
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

    /// Who is at the other end.
    package enum Party: Hashable, Sendable {
        /// A line of ACK and NAK bytes: `AckLine` forgives what isn't answered.
        case line
        /// One that answers in JSON.
        case program
    }

    package enum Owner: Hashable, Sendable {
        case scan(String)
        /// It may belong to any of this many scans.
        case ambiguous(scans: Int)
        /// One scan is owed an answer, and an ambiguous one may have been to it already.
        case doubted
        /// Nothing was owed.
        case unasked
        /// Nothing that names no scan counts any more: the party has answered unasked, and may do so again.
        case untrusted
    }

    private struct Offer: Hashable, Sendable {
        var scan: String
        var at: Instant
    }

    /// Offers of earlier connections, oldest first.
    private struct Inheritance: Hashable, Sendable {
        var owed: [Offer] = []
        var until = Instant.zero
        /// There are more than were remembered: any answer may be to them.
        var isUnknown = false
    }

    private struct Answer: Hashable, Sendable {
        /// The scans that it may belong to.
        var scans: Set<String>
        var at: Instant
        /// It may have been to another scan than these.
        var isDoubted: Bool
    }

    /// What a scan's answer may have been to.
    private struct Said: Hashable, Sendable {
        /// When the scan's only offer was made; `nil`: it had several, so nobody knows.
        var offer: Instant?
        /// When it was last answered.
        var at: Instant
    }

    private let rule: Rule
    private let party: Party
    /// Oldest first.
    private var owed: [Offer] = []
    /// The scans of offers beyond `limit`, with when the newest such offer of each was made.
    private var dropped: [String: Instant] = [:]
    /// More scans were dropped than are remembered, the newest of them then: no answer can be assigned until everything is forgiven.
    private var overflowedAt: Instant?
    private var inherited = Inheritance()
    private static let droppedLimit = 16
    /// When the party answered last, by id or not.
    private var answeredAt: Instant?
    private var hasAnsweredUnasked = false
    /// Scans that are owed an answer which a program may have given already, when it wasn't clear for which of several it was.
    private var doubted: Set<String> = []
    /// The scans that a program's answers may have meant, which it may say again by id.
    private var said: [String: Said] = [:]
    /// When the latest of others was said, of which nobody knows what they meant.
    private var unknownSaidAt: Instant?
    private var isSaidUnknown: Bool { unknownSaidAt != nil }
    private static let saidLimit = 1024
    /// The latest answer that named no scan.
    private var latest: Answer?

    package init(rule: Rule = .everyOffer, party: Party = .program) {
        self.rule = rule
        self.party = party
    }

    /// A line's: it may owe anything that was sent before now.
    package static func unknown(at now: Instant, rule: Rule = .everyOffer) -> OfferLedger {
        var ledger = OfferLedger(rule: rule, party: .line)
        if rule == .everyOffer { ledger.overflowedAt = now }
        return ledger
    }

    /// The party was sent this scan, perhaps again.
    /// - Parameter hasUnread: something that it said hasn't been read yet: then it isn't known that it said nothing.
    package mutating func offered(_ scan: String, at now: Instant, hasUnread: Bool = false) {
        if rule == .lastOnly { owed = [] }
        if hasUnread {
            // It is read at once, and may have come in time.
            inherited.until = max(inherited.until, now.advanced(by: .seconds(1)))
        } else {
            endDebts(at: now)
        }
        owed.append(Offer(scan: scan, at: now))
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
        endDebts(at: now)
        answeredAt = now
        let repeated = saidRightBefore(now)
        let own = scans.union(inherited.owed.map(\.scan))
        let meant = own.union(repeated ?? [])
        note(own, isKnown: !meant.isEmpty, at: now)
        let oldest = inherited.owed.first?.scan ?? owed.first?.scan ?? dropped.keys.first
        let isDoubted = oldest.map(doubted.contains) ?? false || repeated != nil && latest?.isDoubted == true
        latest = Answer(scans: meant, at: now, isDoubted: isDoubted)
        guard oldest != nil || overflowedAt != nil || inherited.isUnknown else {
            // A program that says it twice has said nothing new.
            if repeated != nil, party == .program { return .unasked }
            defer { hasAnsweredUnasked = true }
            return hasAnsweredUnasked ? .untrusted : .unasked
        }
        if repeated == nil { pay(newest: paysNewest && meant.count == 1) }
        guard !hasAnsweredUnasked, overflowedAt == nil, !inherited.isUnknown, meant.count == 1, let oldest, !isDoubted
        else {
            // A repeat has paid nothing off, so nothing became wrong. Who isn't trusted here is trusted on the next connection, which inherits what is owed now.
            if repeated == nil { doubt(meant) }
            if hasAnsweredUnasked { return .untrusted }
            return isDoubted && meant.count == 1 ? .doubted : .ambiguous(scans: meant.count)
        }
        return .scan(oldest)
    }

    private mutating func doubt(_ scans: Set<String>) {
        guard party == .program, rule == .everyOffer else { return }
        doubted.formUnion(scans)
        forgetDoubts()
    }

    /// Of scans that are owed nothing any more.
    private mutating func forgetDoubts() {
        guard !doubted.isEmpty else { return }
        doubted.formIntersection(scans.union(inherited.owed.map(\.scan)))
    }

    private mutating func pay(newest: Bool) {
        // How much is owed from before isn't known, so it may be that.
        guard !inherited.isUnknown else { return }
        guard inherited.owed.isEmpty else {
            inherited.owed.removeFirst()
            return
        }
        // What was dropped is older than anything that is owed, and how much it was isn't known.
        guard let oldest = owed.first?.scan, dropped.keys.allSatisfy({ $0 == oldest }) else { return }
        if newest { owed.removeLast() } else { owed.removeFirst() }
    }

    /// The party may say again, by id, that it meant one of these.
    private mutating func note(_ scans: Set<String>, isKnown: Bool, at now: Instant) {
        guard party == .program else { return }
        let offers = onlyOffers()
        for scan in scans { note(scan, Said(offer: offers[scan], at: now)) }
        if !isKnown { unknownSaidAt = now }
        forgetSaid(at: now)
    }

    private mutating func note(_ scan: String, _ new: Said) {
        guard let known = said[scan] else {
            said[scan] = new
            return
        }
        said[scan] = Said(offer: known.offer == new.offer ? new.offer : nil, at: max(known.at, new.at))
    }

    /// A program says again at once what didn't count. So of too many, those that are older than it may ever take go first.
    private mutating func forgetSaid(at now: Instant) {
        guard said.count > Self.saidLimit else { return }
        said = said.filter { $0.value.at.advanced(by: Self.inheritance) > now }
        guard said.count > Self.saidLimit else { return }
        unknownSaidAt = now
        said = [:]
    }

    /// When each scan was offered, of those that were once. None if something is owed that nobody remembers.
    private func onlyOffers() -> [String: Instant] {
        guard overflowedAt == nil, !inherited.isUnknown else { return [:] }
        return Dictionary(grouping: inherited.owed + owed, by: \.scan)
            .filter { $0.value.count == 1 && dropped[$0.key] == nil }.compactMapValues { $0.first?.at }
    }

    /// The scans of the previous answer, if this one may be a repeat of it.
    private func saidRightBefore(_ now: Instant) -> Set<String>? {
        guard rule != .doublesCount, let latest, now < latest.at.advanced(by: Self.turnaround) else { return nil }
        return latest.scans
    }

    /// The party answered, and named the scan.
    package mutating func answered(naming scan: String, at now: Instant) {
        endDebts(at: now)
        answeredAt = now
        // Said again now, it may be said once more.
        said[scan]?.at = now
        guard !isSaidUnknown, !inherited.isUnknown else { return }
        if let said = said[scan] {
            // It may have been said before; and if not, it is to that offer.
            if let offer = said.offer { payOff(Offer(scan: scan, at: offer)) }
            return
        }
        let isOffered = scans.contains(scan) || inherited.owed.contains { $0.scan == scan }
        let only = onlyOffers()[scan]
        if let oldest = (inherited.owed + owed).first(where: { $0.scan == scan }) { payOff(oldest) }
        if party == .program, isOffered {
            note(scan, Said(offer: only, at: now))
            forgetSaid(at: now)
        }
    }

    private mutating func payOff(_ offer: Offer) {
        if let index = inherited.owed.firstIndex(of: offer) {
            inherited.owed.remove(at: index)
        } else if let index = owed.firstIndex(of: offer) {
            owed.remove(at: index)
        }
        forgetDoubts()
    }

    /// Answers to offers made before `moment` can't come any more, except for the scan `spared`.
    package mutating func forgive(before moment: Instant, sparing spared: String? = nil) {
        owed.removeAll { $0.at < moment && $0.scan != spared }
        dropped = dropped.filter { $0.value >= moment || $0.key == spared }
        if let overflowedAt, overflowedAt < moment { self.overflowedAt = nil }
        forgetDoubts()
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
        doubted.formUnion(other.doubted)
        drop()
        forgetDoubts()
        inheritSaid(other)
        hasAnsweredUnasked = hasAnsweredUnasked || other.hasAnsweredUnasked
    }

    /// The scans that are owed an answer.
    package var scans: Set<String> { Set(owed.map(\.scan)).union(dropped.keys) }

    /// How long a program may take to answer what it was sent on an earlier connection, once it has connected again, and anything, after its latest answer:
    /// one that means an older scan has answered it by then, or never will. It is also how long before connecting again it may have been sent. It has half
    /// a minute (docs/host-answer.md); and for almost a minute, a network may be dead without anybody's knowing: twice TCP's `peerTimeout`, where a scan is
    /// sent into it (measured: 58 s).
    package static let inheritance: Duration = .seconds(90)

    /// The party connects, and may answer here what `earlier` owes.
    package mutating func inherit(_ earlier: OfferLedger, at now: Instant) {
        var earlier = earlier
        earlier.forgetOldSaid(at: now)
        let all = inherited.owed + earlier.owed.filter { !inherited.owed.contains($0) }
        inherited.owed = all.sorted { $0.at < $1.at }
        if !earlier.dropped.isEmpty || earlier.overflowedAt != nil { inherited.isUnknown = true }
        doubted.formUnion(earlier.doubted)
        forgetDoubts()
        inheritSaid(earlier)
        inherited.until = now.advanced(by: Self.inheritance)
    }

    /// What the party may still answer on its next connection; what it has inherited itself isn't in it. One that has answered nothing may only listen: then
    /// it is what it was sent just before (`inheritance`).
    package func left(at now: Instant) -> OfferLedger {
        var left = OfferLedger(rule: rule, party: party)
        guard !hasSaidAll(at: now) else { return left }
        let since = answeredAt == nil ? now.advanced(by: .zero - Self.inheritance) : .zero
        left.owed = owed.filter { $0.at >= since }
        left.dropped = dropped.filter { $0.value >= since }
        left.overflowedAt = overflowedAt.flatMap { $0 >= since ? $0 : nil }
        left.doubted = doubted
        left.forgetDoubts()
        left.inheritSaid(self)
        left.forgetOldSaid(at: now)
        return left
    }

    /// Without what may only be said again.
    package var debts: OfferLedger {
        var debts = self
        debts.said = [:]
        debts.unknownSaidAt = nil
        return debts
    }

    /// What may be said again, and nothing else.
    package var sayings: OfferLedger {
        var sayings = OfferLedger(rule: rule, party: party)
        sayings.said = said
        sayings.unknownSaidAt = unknownSaidAt
        return sayings
    }

    /// What was said on another connection isn't said again later than this.
    private mutating func forgetOldSaid(at now: Instant) {
        let oldest = now.advanced(by: .zero - Self.inheritance)
        said = said.filter { $0.value.at > oldest }
        if let unknownSaidAt, unknownSaidAt <= oldest { self.unknownSaidAt = nil }
    }

    private mutating func endDebts(at now: Instant) {
        if now >= inherited.until {
            inherited = Inheritance()
            forgetDoubts()
        }
        guard hasSaidAll(at: now) else { return }
        owed = []
        dropped = [:]
        overflowedAt = nil
        inherited = Inheritance()
        doubted = []
        said = [:]
        unknownSaidAt = nil
    }

    private mutating func inheritSaid(_ other: OfferLedger) {
        for (scan, said) in other.said { note(scan, said) }
        unknownSaidAt = [unknownSaidAt, other.unknownSaidAt].compactMap(\.self).max()
        if let newest = said.values.map(\.at).max() { forgetSaid(at: newest) }
    }

    /// A program's word. One that was sent something since it answered may not even have been awake to get it.
    private func hasSaidAll(at now: Instant) -> Bool {
        guard party == .program, let answeredAt, answeredAt.advanced(by: Self.inheritance) <= now else { return false }
        return owed.last.map { $0.at < answeredAt } ?? true
    }

    /// It may owe what nobody has written down.
    package var isUnknown: Bool { overflowedAt != nil }

    /// How many scans an ambiguous answer may have been to.
    package var doubtCount: Int { doubted.count }

    /// It has said something here, by id or not.
    package var hasAnswered: Bool { answeredAt != nil }

    package var isTrusted: Bool { !hasAnsweredUnasked }

    /// Nothing is owed, and the party has not answered unasked.
    package var isSettled: Bool { owed.isEmpty && dropped.isEmpty && overflowedAt == nil && !hasAnsweredUnasked }

    /// Some of what it said may be said again.
    package var mayRepeat: Bool { isSaidUnknown || !said.isEmpty }

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
