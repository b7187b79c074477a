import ScanCore
import Testing
import Vocabulary

/// A host that answers with bytes behind a serial device server: what it says comes on whatever connection there is then. Every interleaving,
/// up to a length, of a station that connects, is killed and starts again, and of answers that are late, lost and given in a row.
@Suite("Answers over several connections, searched", .timeLimit(.minutes(10)))
struct ReconnectSearchTests {
    @Test(
        "Only the host's answer to a scan counts for it, on whatever connection it comes; and nothing is owed for ever")
    func deviceServer() {
        let search = Search(ReconnectWorld(), length: 10)
        #expect(search.violation == nil)
        #expect(search.states > 50_000)
        #expect(search.seen.isSuperset(of: ReconnectWorld.Sight.allCases))
    }

    @Test("The search finds a station that forgets what is owed", arguments: ReconnectWorld.Fault.allCases)
    func faults(fault: ReconnectWorld.Fault) {
        let search = Search(ReconnectWorld(fault: fault), length: 10)
        #expect(search.violation?.last?.contains("counted") == true)
    }
}

struct ReconnectWorld: SearchWorld {
    enum Sight: Hashable, CaseIterable { case accepted, refused, silent, held, released, paid }

    /// Built into the station.
    enum Fault: CaseIterable {
        /// A connection begins with nothing owed.
        case forgetsConnections
        /// So does a process.
        case forgetsProcess
        /// What is owed ends so long after it was sent, however long nobody could hear it.
        case countsFromSending
        /// However little of that was silence.
        case countsWhatIsHeard
    }

    private static let limit: Duration = .seconds(10)
    private static let timeout: Duration = .seconds(5)
    private static let scans = 2

    private struct Meant: Hashable, HostAnswerOnItsWay {
        var scan: Int
        var isAccepted = false
        var connection: Int
        /// It was sent on an earlier connection, too.
        var isRepeat = false
        var isDouble = false
    }

    private let fault: Fault?
    private var line: AckLine?
    private var openedAt = Instant.zero
    private var owed: Debts?
    private var connections = 0
    private var now = Instant.zero
    private var scan = 0
    private var isUnderWay = false
    /// On the way to the host, and back, oldest first.
    private var asked: [Meant] = []
    private var answers: [Meant] = []
    /// The first connection on which each scan was sent.
    private var offeredOn: [Int: Int] = [:]
    /// Since when it is connected and silent; and how long it was so on connections before.
    private var quietSince = Instant.zero
    private var quietBefore = Duration.zero
    private(set) var violation: String?
    private(set) var seen: Set<Sight> = []

    init(fault: Fault? = nil) { self.fault = fault }

    var next: [(step: String, world: ReconnectWorld)] {
        var next: [(String, ReconnectWorld)] = []
        func add(_ step: String, _ change: (inout ReconnectWorld) -> Void) {
            var world = self
            change(&world)
            next.append((step, world))
        }
        if line == nil {
            if connections < 4 { add("it connects") { $0.connect(after: .milliseconds(200)) } }
            if connections < 4 { add("it connects after an hour") { $0.connect(after: .seconds(3600)) } }
        } else {
            if !isUnderWay, scan < Self.scans { add("offer \(scan)") { $0.offer() } }
            // A live output goes on to the next one.
            if !isUnderWay, scan + 1 < Self.scans {
                add("offer \(scan + 1) instead") {
                    $0.scan += 1
                    $0.offer()
                }
            }
            if !answers.isEmpty { add("the answer to \(answers[0].scan) comes") { $0.receive() } }
            if isUnderWay { add("no answer in time") { $0.pass(Self.timeout) } }
            if !isUnderWay {
                add("a while passes") { $0.pass(.seconds(6)) }
                add("the limit passes") { $0.pass(Self.limit + .milliseconds(100)) }
            }
            if isUnderWay { add("another host answers \(scan)") { $0.settleElsewhere() } }
            add("the connection is lost") { $0.lose() }
            add("it comes and goes") { $0.comeAndGo() }
            add("the station is killed") { $0.restart() }
        }
        if !asked.isEmpty {
            add("the host accepts \(asked[0].scan)") { $0.answer(isAccepted: true) }
            add("the host refuses \(asked[0].scan) twice") { $0.answer(isAccepted: false, isDouble: true) }
            add("\(asked[0].scan) is lost on the way") { $0.asked.removeFirst() }
        }
        if !answers.isEmpty { add("the answer to \(answers[0].scan) is lost") { $0.answers.removeFirst() } }
        return next
    }

    private mutating func connect(after gap: Duration) {
        connections += 1
        now = now.advanced(by: gap)
        // A second answer comes right behind the first, or never.
        answers.removeAll(where: \.isDouble)
        openedAt = now
        quietSince = now
        var owed = owed
        switch fault {
        case .forgetsConnections: owed = nil
        case .countsFromSending:
            var ledger = owed?.ledger ?? OfferLedger(party: .line)
            ledger.forgive(before: now.advanced(by: .zero - Self.limit * 6))
            owed = ledger.isSettled ? nil : Debts(ledger)
        case .countsWhatIsHeard: owed = owed.map { Debts($0.ledger, silence: Self.limit * 6) }
        case .forgetsProcess, nil: break
        }
        line = AckLine(
            timeout: Self.timeout, retries: 0, answerLimit: .seconds(1_000_000_000), holds: false,
            debts: owed.map { ($0, now) }, debtLimit: Self.limit)
        self.owed = nil
    }

    private mutating func offer() {
        guard let line, !line.owesFromBefore(besides: "\(scan)", at: now) else {
            seen.insert(.held)
            return
        }
        if connections > 1 { seen.insert(.released) }
        isUnderWay = true
        asked.append(
            Meant(scan: scan, connection: connections, isRepeat: offeredOn[scan].map { $0 < connections } ?? false))
        offeredOn[scan] = min(offeredOn[scan] ?? connections, connections)
        quietSince = now
        quietBefore = .zero
        feed(.send(scan: "\(scan)"))
        feed(.written)
    }

    private mutating func settleElsewhere() {
        isUnderWay = false
        feed(.abandon)
        scan += 1
    }

    private mutating func answer(isAccepted: Bool, isDouble: Bool = false) {
        asked.answerOldest(into: &answers, isAccepted: isAccepted, isDouble: isDouble)
    }

    private mutating func receive() {
        if !answers[0].isDouble { now = now.advanced(by: .milliseconds(300)) }
        forget()
        guard !answers.isEmpty else { return }
        let answer = answers.removeFirst()
        quietSince = now
        quietBefore = .zero
        feed(.received(answer.isAccepted ? AckLine.ack : AckLine.nak), answer)
    }

    private mutating func pass(_ time: Duration) {
        now = now.advanced(by: time)
        answers.removeAll(where: \.isDouble)
        forget()
        feed(.timer)
        if let line, !isUnderWay, quietSince.duration(to: now) > Self.limit,
            (0..<Self.scans).contains(where: { line.owesFromBefore(besides: "\($0)", at: now) })
        {
            violation = "held, though the host was silent for long enough"
        }
    }

    /// The host's word: what it was sent on an earlier connection, and what it is sent again on this one, is answered before it was silent for so
    /// long, or never.
    private mutating func forget() {
        let quiet = quietSince.duration(to: now)
        guard quiet > Self.limit || quietBefore + quiet > Self.limit * 6 else { return }
        let connection = connections
        asked.removeAll { $0.connection < connection || $0.isRepeat }
        answers.removeAll { $0.connection < connection || $0.isRepeat }
    }

    private mutating func lose() {
        isUnderWay = false
        feed(.abandon)
        forget()
        owed = line?.debts(openedAt: openedAt, at: now)
        quietBefore += quietSince.duration(to: now)
        line = nil
    }

    /// Seven times, each a little shorter than the limit.
    private mutating func comeAndGo() {
        for _ in 0..<7 {
            if line == nil { connect(after: .milliseconds(200)) }
            now = now.advanced(by: .milliseconds(9900))
            lose()
        }
        asked = []
        answers = []
        if fault == nil { connect(after: .milliseconds(200)) }
        if let line, line.owesFromBefore(besides: "none", at: now) { violation = "held for ever" }
    }

    private mutating func restart() {
        let wasOwed = line?.debts(openedAt: openedAt, at: now) != nil
        lose()
        quietBefore = .zero
        owed = wasOwed && fault != .forgetsProcess ? Debts(.unknown(at: now)) : nil
        line = nil
    }

    private mutating func feed(_ event: AckLine.Event, _ meant: Meant? = nil) {
        for action in line?.handle(event, at: now) ?? [] {
            switch action {
            case .finished(.silent):
                seen.insert(.silent)
                isUnderWay = false
                return lose()
            case .finished(let outcome):
                let isAccepted = outcome == .accepted
                seen.insert(isAccepted ? .accepted : .refused)
                if meant?.scan != scan || meant?.isAccepted != isAccepted {
                    violation = "counted for \(scan), and meant for \(meant.map { "\($0.scan)" } ?? "none")"
                }
                isUnderWay = false
                feed(.abandon)
                scan += 1
            case .lostPlace:
                return lose()
            case .stale: seen.insert(.paid)
            case .transmit, .wakeAt, .foundPlace, .objected: break
            }
        }
    }

    static func == (a: ReconnectWorld, b: ReconnectWorld) -> Bool {
        a.line == b.line && a.now == b.now && a.scan == b.scan && a.isUnderWay == b.isUnderWay && a.asked == b.asked
            && a.answers == b.answers && a.owed == b.owed && a.connections == b.connections
            && a.offeredOn == b.offeredOn && a.openedAt == b.openedAt && a.quietSince == b.quietSince
            && a.quietBefore == b.quietBefore
            && a.violation == b.violation
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(line)
        hasher.combine(now)
        hasher.combine(scan)
        hasher.combine(asked)
        hasher.combine(answers)
        hasher.combine(owed)
    }
}
