import ScanCore
import Testing

@Suite("Serial ACK machine")
struct SerialAckMachineTests {
    private var machine = SerialAckMachine(timeout: .seconds(2), retries: 2)

    private func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    @Test("ACK accepts the record")
    mutating func ack() {
        #expect(machine.handle(.send, at: at(0)) == [.transmit])
        #expect(machine.handle(.written, at: at(5)) == [.wakeAt(at(2005))])
        #expect(machine.handle(.received(0x06), at: at(9)) == [.wakeAt(nil), .finished(.accepted)])
    }

    @Test("NAK sends again, and after the last retry the record is refused")
    mutating func nak() {
        _ = machine.handle(.send, at: at(0))
        for _ in 0..<2 {
            _ = machine.handle(.written, at: at(0))
            #expect(machine.handle(.received(0x15), at: at(1)) == [.wakeAt(nil), .transmit])
        }
        _ = machine.handle(.written, at: at(2))
        #expect(
            machine.handle(.received(0x15), at: at(3)) == [.wakeAt(nil), .finished(.refused(transmissions: 3))])
    }

    @Test("Silence sends again, and after the last retry the host is silent")
    mutating func silence() {
        _ = machine.handle(.send, at: at(0))
        for round in 0..<2 {
            _ = machine.handle(.written, at: at(Int64(round) * 2000))
            #expect(machine.handle(.timer, at: at(Int64(round) * 2000 + 2000)) == [.transmit])
        }
        _ = machine.handle(.written, at: at(4000))
        #expect(machine.handle(.timer, at: at(6000)) == [.finished(.silent(transmissions: 3))])
    }

    @Test("ACK after a NAK accepts")
    mutating func recovered() {
        _ = machine.handle(.send, at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.received(0x15), at: at(1))
        _ = machine.handle(.written, at: at(2))
        #expect(machine.handle(.received(0x06), at: at(3)).last == .finished(.accepted))
    }

    @Test("An answer to an earlier transmission doesn't count for one that is still being written")
    mutating func staleAnswer() {
        _ = machine.handle(.send, at: at(0))
        _ = machine.handle(.written, at: at(0))
        _ = machine.handle(.timer, at: at(2000))
        #expect(machine.handle(.received(0x06), at: at(2001)).isEmpty)
        #expect(machine.handle(.written, at: at(2002)) == [.wakeAt(at(4002))])
    }

    @Test("Other bytes are no answer", arguments: [0x00, 0x0A, 0x41, 0x86, 0xFF] as [UInt8])
    mutating func otherBytes(byte: UInt8) {
        _ = machine.handle(.send, at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.received(byte), at: at(1)).isEmpty)
    }

    @Test("Without retries one NAK is enough")
    func noRetries() {
        var machine = SerialAckMachine(timeout: .seconds(1), retries: 0)
        _ = machine.handle(.send, at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.received(0x15), at: at(1)).last == .finished(.refused(transmissions: 1)))
    }

    @Test("Abandoned, it takes the next record")
    mutating func abandoned() {
        _ = machine.handle(.send, at: at(0))
        _ = machine.handle(.written, at: at(0))
        #expect(machine.handle(.abandon, at: at(1)) == [.wakeAt(nil)])
        #expect(machine.handle(.received(0x06), at: at(2)).isEmpty)
        #expect(machine.handle(.send, at: at(3)) == [.transmit])
    }
}
