import TestSupport
import Testing
import Vocabulary

@testable import Console

@Suite("Console: connections") struct ConnectionTests {
    private let start = Instant(nanoseconds: 9)

    private func after(_ seconds: Int) -> Instant { start.advanced(by: .seconds(seconds)) }

    private func opened() -> ConnectionMachine {
        var machine = ConnectionMachine()
        #expect(machine.handle(.opened, at: start) == [.wake(after(10))])
        return machine
    }

    @Test("a head that trickles in has ten seconds from the connection's begin, however many bytes come")
    func slowHead() {
        var machine = opened()
        for second in 1..<10 { #expect(machine.handle(.bytes(1), at: after(second)) == [.wake(after(10))]) }
        #expect(machine.isIdle)
        #expect(machine.handle(.timer, at: after(10)) == [.close])
        #expect(machine.handle(.bytes(1), at: after(11)).isEmpty)
    }

    @Test("a head that never ends is bounded in bytes")
    func longHead() {
        var machine = opened()
        var sent = 0
        while machine.handle(.bytes(4096), at: start) != [.close] { sent += 4096 }
        #expect(sent == 98_304)
    }

    @Test("a body has twenty seconds, and a megabyte")
    func body() {
        var machine = opened()
        _ = machine.handle(.bytes(100), at: start)
        #expect(machine.handle(.head, at: after(1)) == [.wake(after(21))])
        // A client that sends a body slowly holds no place.
        #expect(machine.isIdle)
        for second in 2..<20 { _ = machine.handle(.bytes(1), at: after(second)) }
        #expect(machine.handle(.timer, at: after(21)) == [.close])
        var other = opened()
        _ = other.handle(.head, at: start)
        var chunks = 0
        while other.handle(.bytes(65_536), at: start) != [.close] { chunks += 1 }
        #expect(chunks == 16)
    }

    @Test("an answer may take as long as it likes, as streams do; between requests there is a minute")
    func answer() {
        var machine = opened()
        _ = machine.handle(.bytes(100), at: start)
        _ = machine.handle(.head, at: start)
        #expect(machine.handle(.bodyEnd, at: start).isEmpty)
        #expect(machine.handle(.timer, at: after(100_000)).isEmpty)
        #expect(!machine.isIdle)
        #expect(machine.handle(.answered, at: after(100_000)) == [.wake(after(100_060))])
        #expect(machine.isIdle)
        // The next request's head has ten seconds from its first byte.
        #expect(machine.handle(.bytes(5), at: after(100_050)) == [.wake(after(100_060))])
        #expect(machine.handle(.timer, at: after(100_060)) == [.close])
    }

    @Test("a peer that takes nothing of a stream loses it")
    func stall() {
        var machine = opened()
        for event in [.bytes(9), .head, .bodyEnd] as [ConnectionMachine.Event] { _ = machine.handle(event, at: start) }
        #expect(machine.handle(.stalled, at: after(5)) == [.wake(after(35))])
        #expect(machine.handle(.stalled, at: after(15)) == [.wake(after(35))])
        #expect(machine.handle(.flows, at: after(20)).isEmpty)
        #expect(machine.handle(.timer, at: after(35)).isEmpty)
        _ = machine.handle(.stalled, at: after(40))
        #expect(machine.handle(.timer, at: after(70)) == [.close])
    }

    @Test("an answer before the body's end, and a request before the answer, don't confuse it")
    func early() {
        var machine = opened()
        _ = machine.handle(.head, at: start)
        _ = machine.handle(.answered, at: after(1))
        // What it still sends of a body that was refused holds no place.
        #expect(machine.isIdle)
        #expect(machine.handle(.bodyEnd, at: after(2)) == [.wake(after(62))])
        #expect(machine.isIdle)
        for event in [.head, .bodyEnd, .head, .bodyEnd, .answered] as [ConnectionMachine.Event] {
            _ = machine.handle(event, at: after(3))
        }
        #expect(!machine.isIdle)
        _ = machine.handle(.answered, at: after(4))
        #expect(machine.isIdle)
    }

    /// Every course of eight events: a connection that is idle always has an end, and one that is closed stays so.
    @Test func `whatever comes, nothing idle stays for ever`() {
        let events: [ConnectionMachine.Event] = [.bytes(10), .head, .bodyEnd, .answered, .stalled, .flows]
        var courses = 0
        func walk(_ machine: ConnectionMachine, _ depth: Int, _ at: Instant) {
            courses += 1
            if machine.isIdle {
                var copy = machine
                #expect(copy.handle(.timer, at: at.advanced(by: .seconds(61))) == [.close])
            }
            guard depth > 0 else { return }
            for event in events {
                var next = machine
                _ = next.handle(event, at: at)
                walk(next, depth - 1, at.advanced(by: .seconds(1)))
            }
        }
        walk(opened(), 6, start)
        #expect(
            courses == (0...6).reduce(0) { sum, depth in sum + (0..<depth).reduce(1) { product, _ in product * 6 } })
    }

    @Test("when it is full, the oldest idle connection goes; the newest comes in")
    func full() {
        var limits = ConnectionTable.Limits()
        (limits.inAll, limits.perPeer) = (4, 2)
        var table = ConnectionTable(limits: limits)
        let (a, b, c) = (Peer("10.0.0.1"), Peer("10.0.0.2"), Peer("10.0.0.3"))
        #expect(table.open(1, from: a) == .accept)
        #expect(table.open(2, from: a) == .accept)
        #expect(table.open(3, from: a) == .replace(1))
        table.setIdle(2, false)
        #expect(table.open(4, from: a) == .replace(3))
        table.setIdle(4, false)
        #expect(table.open(5, from: a) == .refuse)
        #expect(table.open(6, from: b) == .accept)
        #expect(table.open(7, from: b) == .accept)
        #expect(table.open(8, from: c) == .replace(6))
        for id in [7, 8] { table.setIdle(id, false) }
        #expect(table.open(9, from: c) == .refuse)
        table.close(2)
        #expect(table.open(10, from: c) == .accept)
        #expect(table.count == 4)
    }

    @Test(
        "when it is full, the oldest idle connection of the greediest goes: thousands from forty addresses don't push out the owner's"
    )
    func greediest() {
        var table = ConnectionTable()
        let owner = Peer("192.168.1.50")
        #expect(table.open(-1, from: owner) == .accept)
        for id in 0..<10_000 {
            #expect(![.refuse, .replace(-1)].contains(table.open(id, from: Peer("10.0.0.\(id % 40)"))))
        }
        #expect(table.count == 256)
        // Somebody who was there first, with few, isn't asked to leave for one more of his own.
        #expect(![.refuse, .replace(-1)].contains(table.open(-2, from: owner)))
    }

    @Test("ten thousand connections that only open don't keep the owner out")
    func flood() {
        var table = ConnectionTable()
        for id in 0..<10_000 { #expect(table.open(id, from: Peer("10.\(id % 250).\(id / 250).1")) != .refuse) }
        #expect(table.count == 256)
        #expect(table.open(10_000, from: Peer("192.168.1.50")) != .refuse)
        // This machine may be a proxy for everybody: it has no share of its own.
        for id in 20_000..<20_200 { #expect(table.open(id, from: Peer("127.0.0.1")) != .refuse) }
    }
}
