import ScanCore
import Vocabulary

/// A serial host that answers with single bytes: each byte of the input is a step of the station, of the host, of the line
/// between them, or of time. `AnswerSearchTests` goes through every short story; these are long.
///
/// The host answers in order, each record once at most, and not later than `limit`; anything may be lost. What the line counts
/// for a scan must be the host's answer to that very scan.
enum AckLineTarget {
    static func check(_ input: inout FuzzInput) throws {
        var world = World()
        while !input.isAtEnd { try world.step(input.byte()) }
    }
}

private struct World {
    private static let timeout: Duration = .seconds(2)
    private static let limit: Duration = .seconds(10)
    private static let retries = 2

    private struct Answer {
        var scan: Int
        var isAccepted = false
        var askedAt: Instant
    }

    private var line = AckLine(timeout: timeout, retries: retries, answerLimit: limit)
    private var now = Instant.zero
    private var wakeAt: Instant?
    private var heardAt: Instant?
    private var scan = 0
    private var isUnderWay = false
    private var isWriting = false
    private var transmissions = 0
    /// On the way to the host, and back, oldest first.
    private var asked: [Answer] = []
    private var answers: [Answer] = []
    /// What came from the host, by scan.
    private var accepted: Set<Int> = []
    private var refused: Set<Int> = []

    mutating func step(_ byte: UInt8) throws {
        switch byte % 12 {
        case 0: try offer(scan)
        // A live output goes on to the next one.
        case 1: try offer(scan + 1)
        case 2: try written()
        case 3: answer(isAccepted: true)
        case 4: answer(isAccepted: false)
        case 5: if !asked.isEmpty { asked.removeFirst() }
        case 6: try receive()
        case 7: if !answers.isEmpty { answers.removeFirst() }
        case 8: if let wakeAt { try pass(to: wakeAt) }
        case 9: try pass(to: now.advanced(by: .milliseconds(Int64(byte) * 4)))
        case 10: try loseLine()
        // Noise: neither ACK nor NAK.
        default:
            let noise = byte == AckLine.ack || byte == AckLine.nak ? 0 : byte
            let actions = line.handle(.received(noise), at: now)
            try demand(actions.isEmpty, "a byte that is neither ACK nor NAK does nothing: \(actions)")
        }
        if let owed = line.owedUntil {
            try demand(owed <= now.advanced(by: Self.limit), "no answer is owed for longer than the limit")
        }
    }

    private mutating func offer(_ scan: Int) throws {
        guard !isUnderWay else { return }
        self.scan = scan
        isUnderWay = true
        transmissions = 0
        try feed(.send(scan: "\(scan)"))
    }

    private mutating func written() throws {
        guard isWriting else { return }
        isWriting = false
        asked.append(Answer(scan: scan, askedAt: now))
        try feed(.written)
    }

    private mutating func answer(isAccepted: Bool) {
        guard !asked.isEmpty else { return }
        var answer = asked.removeFirst()
        answer.isAccepted = isAccepted
        answers.append(answer)
    }

    private mutating func receive() throws {
        forgetOld()
        guard !answers.isEmpty else { return }
        let answer = answers.removeFirst()
        heardAt = now
        if answer.isAccepted { accepted.insert(answer.scan) } else { refused.insert(answer.scan) }
        try feed(.received(answer.isAccepted ? AckLine.ack : AckLine.nak))
    }

    private mutating func pass(to moment: Instant) throws {
        now = max(now, moment)
        forgetOld()
        guard let wakeAt, wakeAt <= now else { return }
        self.wakeAt = nil
        try feed(.timer)
    }

    /// The host's word: no answer comes later than this, unless it is just answering one after the other.
    private mutating func forgetOld() {
        let oldest = now.advanced(by: .zero - Self.limit)
        guard heardAt.map({ $0 < oldest }) ?? true else { return }
        asked.removeAll { $0.askedAt < oldest }
        answers.removeAll { $0.askedAt < oldest }
    }

    private mutating func loseLine() throws {
        guard isUnderWay else { return }
        isUnderWay = false
        // Some of it went out all the same.
        if isWriting { asked.append(Answer(scan: scan, askedAt: now)) }
        isWriting = false
        try feed(.abandon)
    }

    private mutating func feed(_ event: AckLine.Event) throws {
        for action in line.handle(event, at: now) {
            switch action {
            case .transmit:
                try demand(isUnderWay && !isWriting, "a record is sent only for a scan under way")
                transmissions += 1
                try demand(transmissions <= 1 + Self.retries, "a record is sent no more often than it may be")
                isWriting = true
            case .wakeAt(let moment): wakeAt = moment
            case .finished(let outcome): try finish(outcome)
            case .lostPlace(_, let until):
                try demand(until <= now.advanced(by: Self.limit + .nanoseconds(1)), "the place is found again in time")
            case .foundPlace, .objected, .stale: break
            }
        }
        try demand(
            !isUnderWay || isWriting || wakeAt != nil,
            "a scan under way is sent, or there is a time at which it goes on")
    }

    private mutating func finish(_ outcome: AckLine.Outcome) throws {
        try demand(isUnderWay, "only a scan under way ends")
        isUnderWay = false
        switch outcome {
        case .accepted:
            try demand(accepted.contains(scan), "counted as accepted: \(scan), which the host did not accept")
            scan += 1
        case .refused:
            try demand(refused.contains(scan), "counted as refused: \(scan), which the host did not refuse")
            scan += 1
        case .silent: break
        }
    }
}
