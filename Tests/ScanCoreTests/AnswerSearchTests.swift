import ScanCore
import Settings
import Testing
import Vocabulary

/// Every interleaving, up to a length, of what can happen between a station and a host whose answers name no scan. The host in
/// these worlds knows what it answers, and the machine under test doesn't: whatever it counts for a scan must be the host's
/// answer to that very scan.
///
/// The assumptions are those of `OfferLedger`: a line answers in order, a program in any, each offer at most once, or twice at once. Anything may be lost,
/// late or repeated, and the connection may end at any time. Some scans are on the allow-list, which must not answer where the host has objected.
@Suite("Answers, searched", .timeLimit(.minutes(10)))
struct AnswerSearchTests {
    @Test("A line of ACK and NAK bytes: only the host's answer to a scan counts for it")
    func line() {
        let search = Search(LineWorld(rule: .everyOffer), length: 14)
        #expect(search.violation == nil)
        // So that a search that sees nothing doesn't pass for one that finds nothing.
        #expect(search.states > 20_000)
        #expect(search.seen.isSuperset(of: LineWorld.Sight.allCases))
    }

    @Test(
        "The search finds a line that doesn't count owed answers, and one that counts an answer said twice as two",
        arguments: [OfferLedger.Rule.lastOnly, .doublesCount])
    func lineMutation(rule: OfferLedger.Rule) {
        let search = Search(LineWorld(rule: rule), length: 16)
        #expect(search.violation?.last?.contains("counted") == true)
    }

    @Test("A program whose answers name no scan: only its answer to a scan counts for it")
    func program() {
        let search = Search(ProgramWorld(rule: .everyOffer, connections: 1), length: 11)
        #expect(search.violation == nil)
        #expect(search.states > 5_000)
        #expect(search.seen.isSuperset(of: [.counted, .ambiguous, .unasked, .untrusted, .saidAgain]))
        let impatient = Search(ProgramWorld(rule: .everyOffer, connections: 1, fault: .forgetsAfterMinute), length: 10)
        #expect(impatient.violation?.last?.contains("counted") == true)
    }

    @Test("So it is where the program connects again, whether the station notices or not")
    func programConnectsAgain() {
        let search = Search(ProgramWorld(rule: .everyOffer, connections: 3), length: 8)
        #expect(search.violation == nil)
        #expect(search.states > 100_000)
        #expect(search.seen.isSuperset(of: ProgramWorld.Sight.allCases))
        let forgetful = Search(ProgramWorld(rule: .everyOffer, connections: 3, fault: .forgetsAtConnection), length: 8)
        #expect(forgetful.violation?.last?.contains("counted") == true)
        let losing = Search(ProgramWorld(rule: .everyOffer, connections: 2, fault: .losesSaid), length: 10)
        #expect(losing.violation?.last?.contains("counted") == true)
    }

    @Test("So it is where the program has several threads, and answers in another order")
    func programAnswersInAnyOrder() {
        let one = Search(ProgramWorld(rule: .everyOffer, connections: 1, order: .any), length: 11)
        #expect(one.violation == nil)
        #expect(one.seen.isSuperset(of: [.counted, .ambiguous, .unasked, .untrusted]))
        let two = Search(ProgramWorld(rule: .everyOffer, connections: 2, order: .any), length: 8)
        #expect(two.violation == nil)
        let several = Search(ProgramWorld(rule: .everyOffer, connections: 3, order: .any), length: 7)
        #expect(several.violation == nil)
        #expect(several.states > 100_000)
    }

    @Test(
        "The search finds a program's answers being taken for the latest scan's, and one said twice for two",
        arguments: [OfferLedger.Rule.lastOnly, .doublesCount])
    func programMutation(rule: OfferLedger.Rule) {
        let search = Search(ProgramWorld(rule: rule, connections: 1), length: 14)
        #expect(search.violation?.last?.contains("counted") == true)
    }
}

/// A station and a host, and what may happen next.
protocol SearchWorld: Hashable {
    associatedtype Sight: Hashable
    /// Everything that may happen now, with the world after it.
    var next: [(step: String, world: Self)] { get }
    /// What is wrong with it; `nil`: nothing.
    var violation: String? { get }
    /// What was seen to work, so that a world where nothing can happen is noticed.
    var seen: Set<Sight> { get }
}

/// Breadth first: the violation that is found is a shortest one.
struct Search<World: SearchWorld> {
    private(set) var violation: [String]?
    private(set) var states = 0
    private(set) var seen: Set<World.Sight> = []

    init(_ start: World, length: Int) {
        var known: Set<World> = [start]
        var front: [(world: World, path: [String])] = [(start, [])]
        for _ in 0..<length {
            var reached: [(world: World, path: [String])] = []
            for (world, path) in front {
                for (step, world) in world.next where known.insert(world).inserted {
                    states += 1
                    seen.formUnion(world.seen)
                    if let problem = world.violation {
                        violation = path + [step, problem]
                        return
                    }
                    reached.append((world, path + [step]))
                }
            }
            front = reached
        }
    }
}

/// What a host was asked, and its answer on the way, as the host means it.
protocol HostAnswerOnItsWay {
    var isAccepted: Bool { get set }
    /// The second one to the same offer: it comes right behind the first.
    var isDouble: Bool { get set }
}

extension Array where Element: HostAnswerOnItsWay {
    /// The host answers the oldest of what it was asked, perhaps twice.
    mutating func answerOldest(into answers: inout [Element], isAccepted: Bool, isDouble: Bool) {
        var answer = removeFirst()
        answer.isAccepted = isAccepted
        answers.append(answer)
        answer.isDouble = true
        if isDouble { answers.append(answer) }
    }
}

private struct MeantAnswer: Hashable, HostAnswerOnItsWay {
    var scan: Int
    var isAccepted: Bool
    var askedAt: Instant
    var isDouble = false
}

private struct LineWorld: SearchWorld {
    enum Sight: Hashable, CaseIterable {
        case accepted, refused, silent, lostPlace, foundPlace, lateAnswerCounted, relay, listAnswered, barred
    }

    private static let timeout: Duration = .seconds(2)
    private static let limit: Duration = .seconds(10)
    /// Of the host: longer than the line waits for one answer.
    private static let timeOut: Duration = .seconds(3)
    private static let scans = 3

    private var line: AckLine
    private var host: HostAnswerMachine
    private var now = Instant.zero
    private var wakeAt: Instant?
    private var heardAt: Instant?
    /// When a scan's time is over for the host.
    private var timeOutAt: Instant?
    /// The scan that is offered next, and whether it is under way.
    private var scan = 0
    private var isUnderWay = false
    private var isWriting = false
    /// On the way to the host, and back, oldest first.
    private var asked: [(MeantAnswer)] = []
    private var answers: [MeantAnswer] = []
    /// What came from the host, as it meant it.
    private var accepts: Set<Int> = []
    private var refusals: Set<Int> = []
    private var acceptedAt: [Int: Instant] = [:]
    private var refusedInTime: Set<Int> = []
    private(set) var violation: String?
    private(set) var seen: Set<Sight> = []

    init(rule: OfferLedger.Rule) {
        line = AckLine(timeout: Self.timeout, retries: 1, answerLimit: Self.limit, rule: rule)
        var settings = HostSettings()
        settings.relayOnAccept = true
        settings.expectsAnswer = true
        settings.timeout = Self.timeOut
        host = HostAnswerMachine(settings: settings)
    }

    var next: [(step: String, world: LineWorld)] {
        var next: [(String, LineWorld)] = []
        func add(_ step: String, _ change: (inout LineWorld) -> Void) {
            var world = self
            change(&world)
            next.append((step, world))
        }
        if !isUnderWay, scan < Self.scans { add("offer \(scan)") { $0.offer() } }
        // A live output goes on to the next one.
        if !isUnderWay, scan + 1 < Self.scans {
            add("offer \(scan + 1) instead") {
                $0.scan += 1
                $0.offer()
            }
        }
        if isWriting { add("written") { $0.written() } }
        if !asked.isEmpty {
            add("the host accepts \(asked[0].scan)") { $0.answer(isAccepted: true) }
            add("the host refuses \(asked[0].scan)") { $0.answer(isAccepted: false) }
            add("the host accepts \(asked[0].scan) twice") { $0.answer(isAccepted: true, isDouble: true) }
            add("\(asked[0].scan) is lost on the way") { $0.asked.removeFirst() }
        }
        if !answers.isEmpty {
            add("the answer to \(answers[0].scan) comes") { $0.receive() }
            add("the answer to \(answers[0].scan) is lost") { $0.loseAnswer() }
        }
        if let wakeAt { add("time passes up to the timer") { $0.pass(to: wakeAt) } }
        if let timeOutAt, timeOutAt > now { add("time passes up to the host's time-out") { $0.pass(to: timeOutAt) } }
        if isUnderWay { add("the line is lost") { $0.loseLine() } }
        return next
    }

    private mutating func offer() {
        isUnderWay = true
        let began = acceptedAt[scan] ?? now
        acceptedAt[scan] = began
        tell(.scan(id: "\(scan)", acceptedAt: began, isAllowed: scan < 2))
        feed(.send(scan: "\(scan)"))
    }

    private mutating func written() {
        isWriting = false
        asked.append(MeantAnswer(scan: scan, isAccepted: false, askedAt: now))
        feed(.written)
    }

    private mutating func answer(isAccepted: Bool, isDouble: Bool = false) {
        asked.answerOldest(into: &answers, isAccepted: isAccepted, isDouble: isDouble)
    }

    private mutating func receive() {
        if answers.first?.isDouble == false { now = now.advanced(by: OfferLedger.turnaround) }
        forgetOld()
        guard !answers.isEmpty else { return }
        let answer = answers.removeFirst()
        heardAt = now
        if answer.isAccepted { accepts.insert(answer.scan) } else { refusals.insert(answer.scan) }
        if !answer.isAccepted, let began = acceptedAt[answer.scan], now <= began.advanced(by: Self.timeOut) {
            refusedInTime.insert(answer.scan)
        }
        feed(.received(answer.isAccepted ? AckLine.ack : AckLine.nak))
    }

    /// What comes behind it is the first one then.
    private mutating func loseAnswer() {
        answers.removeFirst()
        if !answers.isEmpty { answers[0].isDouble = false }
    }

    private mutating func pass(to moment: Instant) {
        now = max(now, moment)
        // A second answer comes right behind the first, or never.
        while answers.first?.isDouble == true { answers.removeFirst() }
        forgetOld()
        if let wakeAt, wakeAt <= now {
            self.wakeAt = nil
            feed(.timer)
        }
        tell(.tick)
    }

    /// The host's word: no answer comes later than this, unless it is just answering one after the other.
    private mutating func forgetOld() {
        let oldest = now.advanced(by: .zero - Self.limit)
        guard heardAt.map({ $0 < oldest }) ?? true else { return }
        asked.removeAll { $0.askedAt < oldest }
        answers.removeAll { $0.askedAt < oldest }
        if !answers.isEmpty { answers[0].isDouble = false }
    }

    private mutating func loseLine() {
        isUnderWay = false
        // Some of it went out all the same.
        if isWriting { asked.append(MeantAnswer(scan: scan, isAccepted: false, askedAt: now)) }
        isWriting = false
        feed(.abandon)
    }

    private mutating func feed(_ event: AckLine.Event) {
        for action in line.handle(event, at: now) {
            switch action {
            case .transmit: isWriting = true
            case .wakeAt(let instant): wakeAt = instant
            case .finished(let outcome): finish(outcome, atOnce: event == .send(scan: "\(scan)"))
            case .lostPlace: seen.insert(.lostPlace)
            case .foundPlace: seen.insert(.foundPlace)
            case .objected(let scan): tell(.objection(scans: scan.map { [$0] }))
            case .stale: break
            }
        }
    }

    private mutating func finish(_ outcome: AckLine.Outcome, atOnce: Bool) {
        isUnderWay = false
        switch outcome {
        case .accepted:
            seen.insert(atOnce ? .lateAnswerCounted : .accepted)
            if !accepts.contains(scan) { violation = "counted as accepted: \(scan), which the host did not accept" }
            tell(isAccepted: true)
        case .refused:
            seen.insert(.refused)
            if !refusals.contains(scan) { violation = "counted as refused: \(scan), which the host did not refuse" }
            tell(isAccepted: false)
        // It comes again, unless the output goes on to the next one.
        case .silent:
            _ = seen.insert(.silent)
            return
        }
        scan += 1
    }

    private mutating func tell(isAccepted: Bool) {
        tell(.answer(scan: "\(scan)", isAccepted: isAccepted, by: "line"))
    }

    private mutating func tell(_ event: HostAnswerMachine.Event) {
        for action in host.handle(event, at: now) {
            switch action {
            case .accepted(let id, HostAnswerMachine.allowListName, .some, _):
                seen.insert(.listAnswered)
                if refusedInTime.contains(where: { "\($0)" == id }) {
                    violation = "counted for the relay: \(id) by the list, though the host had refused it"
                }
            case .accepted(let id, _, .some, _):
                seen.insert(.relay)
                if !accepts.contains(where: { "\($0)" == id }) {
                    violation = "counted for the relay: \(id), which the host did not accept"
                }
            case .wakeAt(let moment): timeOutAt = moment
            case .unanswered(let id) where refusedInTime.contains { "\($0)" == id }: seen.insert(.barred)
            default: break
            }
        }
    }

    static func == (a: LineWorld, b: LineWorld) -> Bool {
        a.line == b.line && a.now == b.now && a.wakeAt == b.wakeAt && a.scan == b.scan && a.isUnderWay == b.isUnderWay
            && a.isWriting == b.isWriting && a.asked == b.asked && a.answers == b.answers && a.accepts == b.accepts
            && a.refusals == b.refusals && a.violation == b.violation && a.heardAt == b.heardAt && a.host == b.host
            && a.timeOutAt == b.timeOutAt && a.refusedInTime == b.refusedInTime
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(now)
        hasher.combine(scan)
        hasher.combine(isUnderWay)
        hasher.combine(isWriting)
        hasher.combine(asked)
        hasher.combine(answers)
        hasher.combine(accepts)
        hasher.combine(refusals)
    }
}

/// A program on a socket or on TCP: it may be sent several scans at once, and each again; it may name the scan that it answers,
/// or not, and goes on after it has connected again, which the station may or may not have noticed.
private struct ProgramWorld: SearchWorld {
    enum Sight: Hashable, CaseIterable {
        case counted, ambiguous, doubted, unasked, untrusted, countedOnNext, saidAgain
    }

    /// What is built in, to be found.
    enum Fault { case none, forgetsAtConnection, forgetsAfterMinute, losesSaid }

    /// In which it answers what it was sent. One that also answers by id does so in order (docs/host-answer.md).
    enum Order { case asAsked, any }

    private static let scans = 3

    private let rule: OfferLedger.Rule
    private let connections: Int
    private let order: Order
    private let fault: Fault
    private var ledger: OfferLedger
    private var openedAt = Instant.zero
    /// Of a connection that has ended, which nobody has noticed yet.
    private var older: (ledger: OfferLedger, openedAt: Instant)?
    /// Another connection of the same party, opened since, that takes scans and says nothing.
    private var listener: (ledger: OfferLedger, openedAt: Instant)?
    private var hasListened = false
    private var retired = RetiredLedgers<Int>()
    private var connection = 0
    /// What it was sent and hasn't answered, as it knows it, oldest first.
    private var pending: [Pending] = []
    /// Its answers on the way: the scan it means, and whether it says so.
    private var answers: [Meant] = []
    /// On this connection.
    private var answeredAt: Instant?
    private var askedAt = Instant.zero
    /// The scan of its latest answer: it may have been told that it didn't count, or counted too late.
    private var saidBefore: Int?
    private var scan = 0
    private var extras = 0
    private var minutes = 0
    private var now = Instant.zero
    private(set) var violation: String?
    private(set) var seen: Set<Sight> = []

    private struct Pending: Hashable {
        var scan: Int
        var connection: Int
        var at: Instant
    }

    private struct Meant: Hashable {
        /// `nil`: an answer to nothing.
        var scan: Int?
        var isNamed: Bool
        /// The second one to the same offer: it comes right behind the first.
        var isDouble = false
    }

    init(rule: OfferLedger.Rule, connections: Int, order: Order = .asAsked, fault: Fault = .none) {
        self.order = order
        self.rule = rule
        self.connections = connections
        self.fault = fault
        ledger = OfferLedger(rule: rule)
    }

    var next: [(step: String, world: ProgramWorld)] {
        var next: [(String, ProgramWorld)] = []
        func add(_ step: String, _ change: (inout ProgramWorld) -> Void) {
            var world = self
            change(&world)
            next.append((step, world))
        }
        if scan < Self.scans {
            add("offer \(scan)") {
                $0.offer($0.scan)
                $0.scan += 1
            }
        }
        if scan > 0 { add("offer \(scan - 1) again") { $0.offer($0.scan - 1) } }
        if let oldest = pending.first?.scan {
            add("it answers \(oldest)") {
                $0.pending.removeFirst()
                $0.answers.append(Meant(scan: oldest, isNamed: false))
            }
            add("it answers \(oldest) twice") {
                $0.pending.removeFirst()
                $0.answers += [
                    Meant(scan: oldest, isNamed: false), Meant(scan: oldest, isNamed: false, isDouble: true),
                ]
            }
            if order == .asAsked {
                add("it answers \(oldest) by its id") {
                    $0.pending.removeFirst()
                    $0.answers.append(Meant(scan: oldest, isNamed: true))
                }
            }
            add("it leaves \(oldest) out") { _ = $0.pending.removeFirst() }
            if order == .any {
                for index in pending.indices.dropFirst() {
                    add("it answers \(pending[index].scan) before \(oldest)") {
                        $0.answers.append(Meant(scan: $0.pending.remove(at: index).scan, isNamed: false))
                    }
                }
            }
        } else if answers.isEmpty, extras < 2 {
            // One that is on the way while the next scan is offered can't be told from its answer by anybody.
            add("an answer to nothing comes") {
                $0.extras += 1
                $0.answers.append(Meant(scan: nil, isNamed: false))
                $0.receive()
            }
        }
        if let first = answers.first {
            add("an answer comes") { $0.receive() }
            if !first.isDouble, answeredAt == now {
                add("an answer comes right behind the one before") { $0.receive(atOnce: true) }
            }
        }
        if let saidBefore, rule == .everyOffer, order == .asAsked {
            add("it says again, by its id, that it means \(saidBefore)") {
                $0.saidBefore = nil
                $0.answers.append(Meant(scan: saidBefore, isNamed: true))
                $0.seen.insert(.saidAgain)
            }
        }
        if connection + 1 < connections {
            add("it connects again") { $0.connect(isNoticed: true) }
            if older == nil { add("it connects again, unnoticed") { $0.connect(isNoticed: false) } }
        }
        if connections > 1, !hasListened, connection > 0 {
            add("another connection of it opens, and only listens") { $0.listen() }
        }
        if listener != nil { add("the one that listens ends") { $0.endListening() } }
        if older != nil { add("the older connection's end is noticed") { $0.noticeEnd() } }
        if minutes < 2 { add("a minute passes") { $0.passMinute() } }
        return next
    }

    private mutating func offer(_ scan: Int) {
        ledger.offered("\(scan)", at: now)
        older?.ledger.offered("\(scan)", at: now)
        listener?.ledger.offered("\(scan)", at: now)
        askedAt = now
        pending.append(Pending(scan: scan, connection: connection, at: now))
    }

    /// What was on the way is lost; what it still means to answer isn't.
    private mutating func connect(isNoticed: Bool) {
        answers = []
        now = now.advanced(by: OfferLedger.turnaround)
        // Its word, too: where it has answered nothing at all, it answers within a minute or never.
        let since = now.advanced(by: .zero - OfferLedger.inheritance)
        if answeredAt == nil { pending.removeAll { $0.at < since } }
        answeredAt = nil
        if isNoticed {
            retired.retire(ledger, of: 0, openedAt: openedAt, at: now)
        } else {
            older = (ledger, openedAt)
        }
        connection += 1
        openedAt = now
        ledger = retired.ledger(for: 0, living: [older, listener].compactMap(\.self), rule: rule, at: now)
        switch fault {
        case .forgetsAtConnection: ledger = OfferLedger(rule: rule)
        case .losesSaid: ledger = ledger.debts
        case .none, .forgetsAfterMinute: break
        }
    }

    private mutating func listen() {
        hasListened = true
        let living = [older, (ledger, openedAt)].compactMap(\.self)
        listener = (retired.ledger(for: 0, living: living, rule: rule, at: now), now)
    }

    private mutating func endListening() {
        guard let listener else { return }
        retired.retire(listener.ledger, of: 0, openedAt: listener.openedAt, at: now)
        self.listener = nil
    }

    private mutating func noticeEnd() {
        guard let older else { return }
        retired.retire(older.ledger, of: 0, openedAt: older.openedAt, at: now)
        self.older = nil
    }

    /// The program's word: what it was sent on earlier connections it has answered a minute later, or never will; so it has with everything that it was sent
    /// before its latest answer, unless it was sent something since.
    private mutating func passMinute() {
        minutes += 1
        now = now.advanced(by: OfferLedger.inheritance)
        answers = []
        saidBefore = nil
        if fault == .forgetsAfterMinute { ledger = OfferLedger(rule: rule) }
        let connection = connection
        pending.removeAll { $0.connection < connection }
        if let answeredAt, askedAt < answeredAt { pending.removeAll { $0.at < answeredAt } }
    }

    private mutating func receive(atOnce: Bool = false) {
        let meant = answers.removeFirst()
        if !meant.isDouble, !atOnce { now = now.advanced(by: OfferLedger.turnaround) }
        answeredAt = now
        saidBefore = meant.scan
        if meant.isNamed, let scan = meant.scan { return ledger.answered(naming: "\(scan)", at: now) }
        switch ledger.answered(at: now) {
        case .scan(let scan):
            seen.insert(connection > 0 ? .countedOnNext : .counted)
            if let meant = meant.scan, scan != "\(meant)" { violation = "counted for \(scan), and meant for \(meant)" }
        case .ambiguous: seen.insert(.ambiguous)
        case .unasked: seen.insert(.unasked)
        case .doubted: seen.insert(.doubted)
        case .untrusted: seen.insert(.untrusted)
        }
    }

    static func == (a: ProgramWorld, b: ProgramWorld) -> Bool {
        a.ledger == b.ledger && a.pending == b.pending && a.answers == b.answers && a.scan == b.scan
            && a.extras == b.extras && a.violation == b.violation && a.retired == b.retired
            && a.older?.ledger == b.older?.ledger && a.older?.openedAt == b.older?.openedAt
            && a.listener?.ledger == b.listener?.ledger && a.listener?.openedAt == b.listener?.openedAt
            && a.hasListened == b.hasListened
            && a.connection == b.connection && a.openedAt == b.openedAt && a.minutes == b.minutes
            && a.saidBefore == b.saidBefore && a.answeredAt == b.answeredAt && a.askedAt == b.askedAt
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ledger)
        hasher.combine(older?.ledger)
        hasher.combine(listener?.ledger)
        hasher.combine(pending)
        hasher.combine(answers)
        hasher.combine(scan)
        hasher.combine(connection)
        hasher.combine(saidBefore)
    }
}
