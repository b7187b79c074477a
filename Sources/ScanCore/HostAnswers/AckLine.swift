import Vocabulary

/// The sending side of a line where the host answers each record with one byte, ACK (0x06) or NAK (0x15), as serial hosts do. After a NAK
/// or silence, the record is sent again, up to `retries` times. (Honeywell's "host ACK"; Zebra SSI has the same shape with 2 s and two
/// retries, which are the defaults of `SerialSettings`.)
///
/// ```
///           send                      written                 ACK: accepted
///   idle ─────────┬──────▶ sending ─────────────▶ waiting ──▶ NAK, too often: refused
///    ▲            │           ▲ ▲                   │         silence, too often: silent
///    │   in doubt ▼           │ └── NAK, time-out ──┤
///    │          held ─────────┘                     │
///    └──────────────────────────────────── finished ┘
/// ```
/// A byte doesn't say which record it answers. One machine lives as long as the line, and keeps an `OfferLedger` of every transmission: a
/// slow host answers a repeated record twice, and the second answer must not be taken for the next scan's. While an answer to another scan
/// may still come, the line has lost its place. With `holds`, the next scan isn't sent then: it waits until what is owed has come, or can't
/// come any more: `answerLimit` after it was sent, and after the host's latest answer, as a host that was hung answers all that it was sent, late and
/// one after the other. A byte that answers nothing makes the line lose its place, too, until there was silence for `timeout`.
package struct AckLine: Hashable, Sendable {
    package static let ack: UInt8 = 0x06
    package static let nak: UInt8 = 0x15
    /// Silence after an answer before the next record: a host that answers twice usually does so at once.
    package static let turnaround = OfferLedger.turnaround

    package enum Outcome: Hashable, Sendable {
        case accepted
        /// The host answered NAK to the last transmission.
        case refused(transmissions: Int)
        /// The host didn't answer the last transmission in time.
        case silent(transmissions: Int)
    }

    package enum Event: Hashable, Sendable {
        /// Send a record of this scan; only when none is under way.
        case send(scan: String)
        /// The whole record was handed to the line.
        case written
        case received(UInt8)
        /// The time asked for by `wakeAt` has come.
        case timer
        /// The record needs no answer any more, the line is gone, or the station stops.
        case abandon
    }

    /// Why a byte that comes now couldn't be assigned to a scan.
    package enum Doubt: Hashable, Sendable {
        /// Answers to other scans are owed.
        case owed(scans: Int)
        /// The host answered more often than it was asked.
        case unasked
        /// What was sent before the station started isn't known.
        case unknownPast
    }

    package enum Action: Hashable, Sendable {
        case transmit
        case wakeAt(Instant?)
        case finished(Outcome)
        /// The line has lost its place; with `holds` nothing is sent before this moment, or before what is owed has come.
        case lostPlace(Doubt, until: Instant)
        case foundPlace
        /// A NAK that is no verdict: the record is sent again, or it isn't known for certain which scan is meant (`nil`). It is no silence either.
        case objected(scan: String?)
        /// An answer that doesn't count now: its scan wasn't under way, or it may belong to several scans.
        case stale(isAccepted: Bool)
    }

    private enum Phase: Hashable, Sendable {
        case idle
        case held(scan: String)
        /// `hasAccepted`: an earlier transmission was accepted while this one is being written.
        case sending(scan: String, transmission: Int, hasAccepted: Bool)
        case waiting(scan: String, transmission: Int, until: Instant)
    }

    package let timeout: Duration
    /// Transmissions after the first.
    package let retries: Int
    /// No answer comes later than this after its record was sent and after the latest answer, except for the record under way.
    package let answerLimit: Duration
    /// Whether the next scan waits while the line has lost its place. If not, answers that can't be assigned are dropped.
    package let holds: Bool

    private var ledger: OfferLedger
    private var phase = Phase.idle
    /// What was owed when this connection was opened, and may be answered on it; `nil`: nothing.
    private let inherited: Inheritance?

    private struct Inheritance: Hashable, Sendable {
        /// Offers from before that were made on an earlier connection.
        let openedAt: Instant
        /// Before that.
        let silence: Duration
        let limit: Duration
    }

    /// When the host answered last.
    private var heardAt: Instant?
    /// The next record isn't sent before this.
    private var quietUntil: Instant?
    /// Somebody may have sent before the line was opened; this is when answers to that end.
    private var pastUntil: Instant?
    /// It isn't put off beyond this: a host that says something all the time doesn't answer the past.
    private let pastLimit: Instant?
    /// What was reported last.
    private var doubt: Doubt?
    /// The scan that was last given up without an answer, and the answer that came after all: it counts when the scan is sent again.
    private var givenUp: GivenUp?

    private struct GivenUp: Hashable, Sendable {
        var scan: String
        var isAccepted: Bool?
    }

    /// - Parameters:
    ///   - pastUntil: until when answers to earlier transmissions may come; `nil`: nothing was sent.
    ///   - debts: what the host was sent on an earlier connection, and may answer on this one, and when this one was opened.
    ///   - debtLimit: of the host's silence on this connection, after which nothing comes of those any more.
    package init(
        timeout: Duration, retries: Int, answerLimit: Duration, holds: Bool = true, pastUntil: Instant? = nil,
        debts: (owed: Debts, openedAt: Instant)? = nil, debtLimit: Duration = .seconds(10),
        rule: OfferLedger.Rule = .everyOffer
    ) {
        self.timeout = timeout
        self.retries = max(0, retries)
        self.answerLimit = answerLimit
        self.holds = holds
        self.pastUntil = rule == .everyOffer ? pastUntil : nil
        pastLimit = pastUntil?.advanced(by: answerLimit * 6)
        ledger = debts?.owed.ledger ?? OfferLedger(rule: rule, party: .line)
        inherited = debts.map { Inheritance(openedAt: $0.openedAt, silence: $0.owed.silence, limit: debtLimit) }
    }

    /// What the host may still answer when this connection, opened then, ends; `nil`: nothing. That it answered too often ends with it.
    package func debts(openedAt: Instant, at now: Instant) -> Debts? {
        var line = self
        line.forgive(at: now, sparing: line.scanUnderWay)
        line.ledger.trustAgain()
        guard !line.ledger.isSettled else { return nil }
        return Debts(line.ledger, silence: line.silentTime(since: openedAt, at: now))
    }

    /// When the host was last sent something on this connection, or said something; `nil`: neither.
    private func lastExchange(since openedAt: Instant) -> Instant? {
        let sentAt = ledger.newestOffer().flatMap { $0 >= openedAt ? $0 : nil }
        return [sentAt, heardAt].compactMap(\.self).max()
    }

    /// How long the host was connected since then, over all its connections.
    private func silentTime(since openedAt: Instant, at now: Instant) -> Duration {
        guard let last = lastExchange(since: openedAt) else {
            return (inherited?.silence ?? .zero) + openedAt.duration(to: now)
        }
        return last.duration(to: now)
    }

    /// Whether an answer that comes now may be to another scan, sent on an earlier connection.
    package func owesFromBefore(besides scan: String, at now: Instant) -> Bool {
        var line = self
        line.forgive(at: now, sparing: line.scanUnderWay)
        return inherited.map { line.ledger.owes(before: $0.openedAt, besides: scan) } ?? false
    }

    /// Until when that is so if the host says nothing; `nil`: it isn't so.
    package func owedFromBefore(besides scan: String, at now: Instant) -> Instant? {
        guard let inherited, owesFromBefore(besides: scan, at: now) else { return nil }
        return end(of: inherited).advanced(by: .nanoseconds(1))
    }

    /// Until when what is owed from before may be answered if the host says nothing.
    private func end(of inherited: Inheritance) -> Instant {
        let openedAt = inherited.openedAt
        let several = inherited.limit * Debts.connections
        let last = lastExchange(since: openedAt)
        var end = (last ?? openedAt).advanced(by: inherited.limit)
        if last == nil { end = min(end, openedAt.advanced(by: several - inherited.silence)) }
        // One that says something all the time doesn't answer the past.
        if ledger.isUnknown { end = min(end, openedAt.advanced(by: several)) }
        return end
    }

    /// When the last answer that may still come has come or is given up; `nil`: none is owed. Remember it across a restart.
    package var owedUntil: Instant? {
        [ledger.newestOffer().map(endOfAnswers), pastUntil].compactMap(\.self).max()
    }

    /// The next record may be sent from then on; `nil`: at once.
    package var restsUntil: Instant? { quietUntil }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        if case .send(let scan) = event {
            forgive(at: now, sparing: scan)
        } else {
            forgive(at: now, sparing: scanUnderWay)
        }
        if let pastUntil, pastUntil <= now { self.pastUntil = nil }
        if case .received(let byte) = event, byte == Self.ack || byte == Self.nak {
            heardAt = now
            // It is just answering what was sent then, one after the other.
            if let pastUntil, let pastLimit {
                self.pastUntil = max(pastUntil, min(pastLimit, now.advanced(by: answerLimit)))
            }
        }
        switch event {
        case .send(let scan): return send(scan, at: now)
        case .written: return written(at: now)
        case .received(Self.ack): return answered(isAccepted: true, at: now)
        case .received(Self.nak): return answered(isAccepted: false, at: now)
        case .received: return []
        case .timer: return timer(at: now)
        case .abandon: return abandon(at: now)
        }
    }

    /// What a scan that was given up is owed isn't in its own way: it is the next to be sent.
    private mutating func forgive(at now: Instant, sparing scan: String?) {
        let spared = scan ?? givenUp?.scan
        // What was sent before its latest answer may be what it answers next.
        func silence(_ limit: Duration) -> Instant? {
            let moment = now.advanced(by: .zero - limit)
            return heardAt.map { $0 < moment } ?? true ? moment : nil
        }
        if let moment = silence(answerLimit) { ledger.forgive(before: moment, sparing: spared) }
        guard let inherited, now > end(of: inherited) else { return }
        ledger.forgive(before: inherited.openedAt, sparing: scan)
    }

    /// Until when an answer to what was sent at that moment may come.
    private func endOfAnswers(to sent: Instant) -> Instant {
        max(sent, heardAt ?? sent).advanced(by: answerLimit)
    }

    // MARK: Sending

    private mutating func send(_ scan: String, at now: Instant) -> [Action] {
        guard phase == .idle else { return [] }
        defer { givenUp = nil }
        // Where records don't wait for the line, this one is sent all the same, and will be answered.
        if holds, let givenUp, givenUp.scan == scan, let isAccepted = givenUp.isAccepted {
            return [.finished(isAccepted ? .accepted : .refused(transmissions: retries + 1))]
        }
        phase = .held(scan: scan)
        return proceed(at: now)
    }

    /// Sends what is held, if nothing is in the way any more.
    private mutating func proceed(at now: Instant) -> [Action] {
        guard case .held(let scan) = phase else { return settle(at: now) }
        guard holds else { return begin(scan) }
        if let (doubt, end) = currentDoubt(besides: scan, at: now) {
            defer { self.doubt = doubt }
            return (doubt == self.doubt ? [] : [.lostPlace(doubt, until: end)]) + [.wakeAt(end)]
        }
        var actions: [Action] = []
        if doubt != nil {
            doubt = nil
            ledger.trustAgain()
            actions = [.foundPlace]
        }
        if let quietUntil, quietUntil > now { return actions + [.wakeAt(quietUntil)] }
        return actions + [.wakeAt(nil)] + begin(scan)
    }

    /// Between records, the line finds its place again by itself.
    private mutating func settle(at now: Instant) -> [Action] {
        guard phase == .idle, let doubt else { return [] }
        if case .unasked = doubt, let quietUntil, quietUntil > now { return [.wakeAt(quietUntil)] }
        guard currentDoubt(besides: nil, at: now) == nil else { return [] }
        self.doubt = nil
        ledger.trustAgain()
        return [.foundPlace]
    }

    private func currentDoubt(besides scan: String?, at now: Instant) -> (Doubt, until: Instant)? {
        if let pastUntil { return (.unknownPast, pastUntil) }
        if let newest = ledger.newestOffer(besides: scan) {
            return (
                .owed(scans: ledger.scans.subtracting(scan.map { [$0] } ?? []).count),
                endOfAnswers(to: newest).advanced(by: .nanoseconds(1))
            )
        }
        if !ledger.isTrusted, let quietUntil, quietUntil > now { return (.unasked, quietUntil) }
        return nil
    }

    private mutating func begin(_ scan: String) -> [Action] {
        phase = .sending(scan: scan, transmission: 1, hasAccepted: false)
        return [.transmit]
    }

    private mutating func written(at now: Instant) -> [Action] {
        guard case .sending(let scan, let transmission, let hasAccepted) = phase else { return [] }
        ledger.offered(scan, at: now)
        if hasAccepted { return finish(.accepted) }
        let until = now.advanced(by: timeout)
        phase = .waiting(scan: scan, transmission: transmission, until: until)
        return [.wakeAt(until)]
    }

    private mutating func again(_ scan: String, after transmission: Int, else outcome: Outcome) -> [Action] {
        guard transmission <= retries else {
            if case .silent = outcome { givenUp = GivenUp(scan: scan) }
            return finish(outcome)
        }
        phase = .sending(scan: scan, transmission: transmission + 1, hasAccepted: false)
        return [.transmit]
    }

    private mutating func finish(_ outcome: Outcome) -> [Action] {
        phase = .idle
        return [.finished(outcome)]
    }

    // MARK: Answers

    private mutating func answered(isAccepted: Bool, at now: Instant) -> [Action] {
        guard !isAccepted else { return assign(isAccepted: true, at: now) }
        // What may be meant, as far as that is certain.
        var meant: String?
        let actions = assign(isAccepted: false, at: now) { if case .scan(let scan) = $0 { meant = scan } }
        for case .finished(.refused) in actions { return actions }
        return [.objected(scan: meant)] + actions
    }

    private mutating func assign(
        isAccepted: Bool, at now: Instant, owner hear: (OfferLedger.Owner) -> Void = { _ in }
    ) -> [Action] {
        // Nothing is sent while the past is unknown, so the byte answers something from the past.
        if pastUntil != nil, isBetweenRecords { return [.stale(isAccepted: isAccepted)] }
        // Another answer right after it must not meet the next record.
        quietUntil = max(quietUntil ?? .zero, now.advanced(by: Self.turnaround))
        let owner = ledger.answered(at: now, paysNewest: inherited != nil)
        hear(owner)
        switch (phase, owner) {
        case (_, .unasked), (_, .untrusted), (_, .doubted):
            quietUntil = now.advanced(by: timeout)
            let told: [Action] = doubt == .unasked ? [] : [.lostPlace(.unasked, until: now.advanced(by: timeout))]
            doubt = .unasked
            return told + (isBetweenRecords ? [.wakeAt(quietUntil)] : [])
        case (.waiting(let scan, let transmission, _), .scan(let owner)) where owner == scan:
            if isAccepted { return [.wakeAt(nil)] + finish(.accepted) }
            return [.wakeAt(nil)] + again(scan, after: transmission, else: .refused(transmissions: transmission))
        case (.sending(let scan, let transmission, let hasAccepted), .scan(let owner)) where owner == scan:
            phase = .sending(scan: scan, transmission: transmission, hasAccepted: hasAccepted || isAccepted)
            return []
        case (.idle, .scan(let scan)):
            if givenUp?.scan == scan, givenUp?.isAccepted == nil { givenUp?.isAccepted = isAccepted }
            return [.stale(isAccepted: isAccepted)] + settle(at: now)
        default: return [.stale(isAccepted: isAccepted)] + proceed(at: now)
        }
    }

    private var scanUnderWay: String? {
        switch phase {
        case .sending(let scan, _, _), .waiting(let scan, _, _): scan
        case .idle, .held: nil
        }
    }

    private var isBetweenRecords: Bool { scanUnderWay == nil }

    // MARK: Time

    private mutating func timer(at now: Instant) -> [Action] {
        guard case .waiting(let scan, let transmission, let until) = phase else { return proceed(at: now) }
        guard now >= until else { return [.wakeAt(until)] }
        return again(scan, after: transmission, else: .silent(transmissions: transmission))
    }

    private mutating func abandon(at now: Instant) -> [Action] {
        switch phase {
        case .idle: return []
        case .held: break
        // Part of it may have gone out, and may be answered.
        case .sending(let scan, _, _):
            ledger.offered(scan, at: now)
            givenUp = GivenUp(scan: scan)
        case .waiting(let scan, _, _): givenUp = GivenUp(scan: scan)
        }
        phase = .idle
        return [.wakeAt(nil)]
    }
}
