import ScanCore
import Testing
import Vocabulary

@Suite("ACK line")
struct AckLineTests {
    private var machine = AckLine(timeout: .seconds(2), retries: 2, answerLimit: .seconds(10))

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test("ACK accepts the record")
    mutating func ack() {
        #expect(machine.handle(.send(scan: "a"), at: at(0)) == [.wakeAt(nil), .transmit])
        #expect(machine.handle(.written, at: at(5)) == [.wakeAt(at(2005))])
        #expect(machine.handle(.received(0x06), at: at(9)) == [.wakeAt(nil), .finished(.accepted)])
    }

    @Test("NAK sends again, and after the last retry the record is refused")
    mutating func nak() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        for _ in 0..<2 {
            _ = machine.handle(.written, at: at(0))
            #expect(machine.handle(.received(0x15), at: at(1)) == [.objected(scan: "a"), .wakeAt(nil), .transmit])
        }
        _ = machine.handle(.written, at: at(2))
        #expect(
            machine.handle(.received(0x15), at: at(3)) == [.wakeAt(nil), .finished(.refused(transmissions: 3))])
    }

    @Test("Silence sends again, and after the last retry the host is silent")
    mutating func silence() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        for round in 0..<2 {
            _ = machine.handle(.written, at: at(Int64(round) * 2000))
            #expect(machine.handle(.timer, at: at(Int64(round) * 2000 + 2000)) == [.transmit])
        }
        _ = machine.handle(.written, at: at(4000))
        #expect(machine.handle(.timer, at: at(6000)) == [.finished(.silent(transmissions: 3))])
    }

    @Test("ACK after a NAK accepts")
    mutating func recovered() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.received(0x15), at: at(1))
        _ = machine.handle(.written, at: at(2))
        #expect(machine.handle(.received(0x06), at: at(3)).last == .finished(.accepted))
    }

    @Test("The host's late ACK counts though the scan is just being sent again")
    mutating func lateWhileSending() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.timer, at: at(2000))
        #expect(machine.handle(.received(0x06), at: at(2001)).isEmpty)
        #expect(machine.handle(.written, at: at(2002)) == [.finished(.accepted)])
    }

    @Test("As long as a repeat may be answered, the next scan isn't sent")
    mutating func owed() {
        repeatOnce()
        #expect(
            machine.handle(.send(scan: "b"), at: at(2500)) == [
                .lostPlace(.owed(scans: 1), until: Instant(nanoseconds: 12_400_000_001)),
                .wakeAt(Instant(nanoseconds: 12_400_000_001)),
            ])
        // The second answer to "a" comes: the line has found its place, and sends after a rest.
        let rest = machine.handle(.received(0x06), at: at(3000))
        #expect(rest == [.stale(isAccepted: true), .foundPlace, .wakeAt(at(3020))])
        #expect(machine.handle(.timer, at: at(3020)) == [.wakeAt(nil), .transmit])
    }

    @Test("An answer that never comes is given up in the end")
    mutating func givenUp() {
        repeatOnce()
        _ = machine.handle(.send(scan: "b"), at: at(2500))
        #expect(machine.owedUntil == at(12_400))
        let actions = machine.handle(.timer, at: Instant(nanoseconds: 12_400_000_001))
        #expect(actions == [.foundPlace, .wakeAt(nil), .transmit])
    }

    @Test("The same scan may be sent again at any time: whatever comes is its answer")
    mutating func sameScan() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        for round in 0..<3 as Range<Int64> {
            _ = machine.handle(.written, at: at(round * 2000))
            _ = machine.handle(.timer, at: at(round * 2000 + 2000))
        }
        #expect(machine.handle(.send(scan: "a"), at: at(6100)) == [.wakeAt(nil), .transmit])
    }

    @Test(
        "An answer that comes after a scan was given up counts when it is offered again, without sending it once more")
    mutating func answeredAfterAll() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        for round in 0..<3 as Range<Int64> {
            _ = machine.handle(.written, at: at(round * 2000))
            _ = machine.handle(.timer, at: at(round * 2000 + 2000))
        }
        #expect(machine.handle(.received(0x06), at: at(6050)) == [.stale(isAccepted: true)])
        #expect(machine.handle(.send(scan: "a"), at: at(6100)) == [.finished(.accepted)])
    }

    @Test("A host that answers unasked is listened to in silence before the next scan")
    mutating func unasked() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.received(0x06), at: at(1)).last == .finished(.accepted))
        #expect(
            machine.handle(.received(0x06), at: at(2)) == [
                .lostPlace(.unasked, until: at(2002)), .wakeAt(at(2002)),
            ])
        #expect(machine.handle(.send(scan: "b"), at: at(100)) == [.wakeAt(at(2002))])
        // Another one makes the silence begin again.
        #expect(machine.handle(.received(0x06), at: at(1000)) == [.wakeAt(at(3000))])
        #expect(machine.handle(.timer, at: at(2002)) == [.wakeAt(at(3000))])
        #expect(machine.handle(.timer, at: at(3000)) == [.foundPlace, .wakeAt(nil), .transmit])
    }

    @Test(
        "A host that was hung for longer than answers take answers all that it was sent: the next scan waits for the last of it"
    )
    mutating func hung() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        // Sent again and again, as long as it is the next one.
        for round in 0..<7 as Range<Int64> {
            _ = machine.handle(.written, at: at(round * 2000))
            guard round < 6 else { break }
            if case .finished? = machine.handle(.timer, at: at(round * 2000 + 2000)).first {
                _ = machine.handle(.send(scan: "a"), at: at(round * 2000 + 2000))
            }
        }
        // It wakes up, and answers once every half second.
        #expect(machine.handle(.received(0x06), at: at(13_500)).last == .finished(.accepted))
        #expect(!machine.handle(.send(scan: "b"), at: at(13_600)).contains(.transmit))
        for answer in 0..<6 as Range<Int64> {
            #expect(
                !machine.handle(.timer, at: at(13_990 + answer * 500)).contains(.transmit),
                "\(answer + 1) of seven came")
            #expect(machine.handle(.received(0x06), at: at(14_000 + answer * 500)).first == .stale(isAccepted: true))
        }
        #expect(machine.handle(.timer, at: at(16_520)).contains(.transmit))
    }

    @Test("What a host owes from an earlier connection may come on the next, for a while")
    func debts() {
        var before = AckLine(timeout: .seconds(5), retries: 0, answerLimit: .seconds(1_000_000), holds: false)
        _ = before.handle(.send(scan: "a"), at: at(0))
        _ = before.handle(.written, at: at(0))
        _ = before.handle(.timer, at: at(5000))
        var line = AckLine(
            timeout: .seconds(5), retries: 0, answerLimit: .seconds(1_000_000), holds: false,
            debts: before.debts(openedAt: at(0), at: at(5000)).map { ($0, at(5000)) })
        #expect(!line.owesFromBefore(besides: "a", at: at(5100)) && line.owesFromBefore(besides: "b", at: at(5100)))
        _ = line.handle(.send(scan: "a"), at: at(5200))
        _ = line.handle(.written, at: at(5200))
        #expect(line.handle(.received(0x06), at: at(5500)).last == .finished(.accepted))
        #expect(line.owedFromBefore(besides: "b", at: at(6000)) == at(15_500).advanced(by: .nanoseconds(1)))
        #expect(line.owesFromBefore(besides: "b", at: at(15_500)), "it may come ten seconds after the latest answer")
        let silent = line
        #expect(!silent.owesFromBefore(besides: "b", at: at(15_501)))
        #expect(line.handle(.received(0x06), at: at(10_900)) == [.stale(isAccepted: true)])
        #expect(!line.owesFromBefore(besides: "b", at: at(10_920)))
    }

    @Test("A host that was away for hours, while one scan was sent again and again, answers it when it comes back")
    mutating func away() {
        var now: Int64 = 0
        for _ in 0..<200 {
            _ = machine.handle(.send(scan: "a"), at: at(now))
            for _ in 0..<3 {
                _ = machine.handle(.written, at: at(now))
                now += 2000
                _ = machine.handle(.timer, at: at(now))
            }
            now += 6000
        }
        _ = machine.handle(.send(scan: "a"), at: at(now))
        _ = machine.handle(.written, at: at(now))
        #expect(machine.handle(.received(0x06), at: at(now + 100)).last == .finished(.accepted))
        // Nobody knows how much it still answers: the next scan waits for its silence.
        #expect(!machine.handle(.send(scan: "b"), at: at(now + 200)).contains(.transmit))
        #expect(machine.handle(.received(0x06), at: at(now + 5000)).contains(.stale(isAccepted: true)))
        #expect(!machine.handle(.timer, at: at(now + 14_000)).contains(.transmit))
        #expect(machine.handle(.timer, at: at(now + 15_001)).contains(.transmit))
    }

    @Test("While what was sent before a restart is being answered, the line isn't in its place")
    func restartedInTheMiddle() {
        var machine = AckLine(timeout: .seconds(2), retries: 2, answerLimit: .seconds(10), pastUntil: at(9000))
        _ = machine.handle(.received(0x06), at: at(8000))
        #expect(!machine.handle(.send(scan: "b"), at: at(9500)).contains(.transmit))
        _ = machine.handle(.received(0x06), at: at(11_000))
        #expect(!machine.handle(.timer, at: at(20_999)).contains(.transmit))
        #expect(machine.handle(.timer, at: at(21_000)).contains(.transmit))
    }

    @Test("The next scan follows an answer after a rest, in which a second answer would show")
    mutating func turnaround() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.received(0x06), at: at(1))
        #expect(machine.handle(.send(scan: "b"), at: at(2)) == [.wakeAt(at(21))])
        #expect(machine.handle(.timer, at: at(21)) == [.wakeAt(nil), .transmit])
    }

    @Test("What was sent before the line was opened is given time to be answered")
    func unknownPast() {
        var machine = AckLine(timeout: .seconds(2), retries: 2, answerLimit: .seconds(10), pastUntil: at(9000))
        #expect(
            machine.handle(.send(scan: "b"), at: at(100)) == [
                .lostPlace(.unknownPast, until: at(9000)), .wakeAt(at(9000)),
            ])
        #expect(machine.handle(.received(0x06), at: at(200)) == [.stale(isAccepted: true)])
        // It is just answering what it was sent then.
        #expect(machine.handle(.timer, at: at(9000)) == [.wakeAt(at(10_200))])
        #expect(machine.handle(.timer, at: at(10_200)) == [.foundPlace, .wakeAt(nil), .transmit])
    }

    /// "a" is sent twice and accepted once, at 2.4 s; the repeat was written at 2 s.
    private mutating func repeatOnce() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.timer, at: at(2000))
        _ = machine.handle(.written, at: at(2000))
        #expect(machine.handle(.received(0x06), at: at(2400)) == [.wakeAt(nil), .finished(.accepted)])
    }

    @Test("Other bytes are no answer", arguments: [0x00, 0x0A, 0x41, 0x86, 0xFF] as [UInt8])
    mutating func otherBytes(byte: UInt8) {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.received(byte), at: at(1)).isEmpty)
    }

    @Test("Without retries one NAK is enough")
    func noRetries() {
        var machine = AckLine(timeout: .seconds(1), retries: 0, answerLimit: .seconds(5))
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.received(0x15), at: at(1)).last == .finished(.refused(transmissions: 1)))
    }

    @Test("Abandoned, it takes the next record")
    mutating func abandoned() {
        _ = machine.handle(.send(scan: "a"), at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.abandon, at: at(1)) == [.wakeAt(nil)])
        #expect(machine.handle(.send(scan: "a"), at: at(3)) == [.wakeAt(nil), .transmit])
    }
}
