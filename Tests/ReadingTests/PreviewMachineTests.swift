import Testing
import Vocabulary

@testable import Reading

@Suite("When a frame is copied for a preview, and handed over")
struct PreviewMachineTests {
    private struct Desk {
        var machine = PreviewMachine()
        var now = Instant.zero

        mutating func tell(_ event: PreviewMachine.Event) -> [PreviewMachine.Action] { machine.handle(event, at: now) }

        mutating func ask(_ id: UInt64, after: UInt64? = nil, maxWidth: Int = 640) -> [PreviewMachine.Action] {
            tell(.asked(.init(id: id, after: after, maxWidth: maxWidth)))
        }

        mutating func frame(
            _ sequence: UInt64, isAwaited: Bool = true, isCopyAwaited: Bool = true
        ) -> [PreviewMachine.Action] {
            tell(.frame(sequence, isAwaited: isAwaited, isCopyAwaited: isCopyAwaited))
        }

        mutating func wait(_ milliseconds: Int) { now = now.advanced(by: .milliseconds(milliseconds)) }
    }

    @Test("Nobody asks, nothing is copied")
    func nobody() {
        var desk = Desk()
        #expect(desk.frame(1) == [])
        #expect(!desk.machine.isWanted)
        _ = desk.ask(1)
        #expect(desk.machine.isWanted)
        _ = desk.tell(.left(1))
        #expect(!desk.machine.isWanted)
        #expect(desk.frame(2) == [])
    }

    @Test("A picture is handed over with its own frame's result, in whichever order the two come")
    func together() {
        for resultFirst in [false, true] {
            var desk = Desk()
            _ = desk.ask(1)
            #expect(desk.frame(7).first == .copy(7, maxWidth: 640))
            #expect(desk.tell(.read(6)) == [])
            #expect(desk.tell(resultFirst ? .read(7) : .pictured(7)) == [])
            #expect(
                desk.tell(resultFirst ? .pictured(7) : .read(7)) == [.handOver(7, isRead: true, to: [1])])
        }
    }

    @Test("A result that was there before the copy counts")
    func early() {
        var desk = Desk()
        _ = desk.ask(1)
        _ = desk.tell(.read(7))
        #expect(desk.frame(7, isAwaited: false).first == .copy(7, maxWidth: 640))
        #expect(desk.tell(.pictured(7)) == [.handOver(7, isRead: true, to: [1])])
    }

    @Test("A frame that nobody reads is handed over at once, and says so")
    func unread() {
        var desk = Desk()
        _ = desk.ask(1)
        _ = desk.frame(7, isAwaited: false)
        #expect(desk.tell(.pictured(7)) == [.handOver(7, isRead: false, to: [1])])
    }

    @Test("A copy waits 150 ms for its result, not longer")
    func patience() {
        var desk = Desk()
        _ = desk.ask(1)
        #expect(desk.frame(7).last == .wakeAt(desk.now.advanced(by: .milliseconds(150))))
        #expect(desk.tell(.pictured(7)) == [])
        desk.wait(149)
        #expect(desk.tell(.tick) == [])
        desk.wait(1)
        #expect(desk.tell(.tick) == [.handOver(7, isRead: false, to: [1])])
    }

    @Test("A frame that the readers gave up is replaced by the newer one, within the same 150 ms")
    func replaced() {
        var desk = Desk()
        _ = desk.ask(1)
        _ = desk.frame(7)
        desk.wait(33)
        #expect(desk.frame(8) == [])
        desk.wait(33)
        #expect(desk.frame(9, isCopyAwaited: false).first == .copy(9, maxWidth: 640))
        #expect(desk.tell(.pictured(7)) == [])
        #expect(desk.tell(.pictured(9)) == [])
        desk.wait(84)
        #expect(desk.tell(.tick) == [.handOver(9, isRead: false, to: [1])])
    }

    @Test("A client that has the frame, or wants another size, waits for the next one")
    func others() {
        var desk = Desk()
        _ = desk.ask(1, after: 7)
        _ = desk.ask(2)
        _ = desk.ask(3, maxWidth: 320)
        _ = desk.frame(7, isAwaited: false)
        #expect(desk.tell(.pictured(7)) == [.handOver(7, isRead: false, to: [2])])
        desk.wait(100)
        #expect(desk.frame(8, isAwaited: false).first == .copy(8, maxWidth: 640))
        #expect(desk.tell(.pictured(8)) == [.handOver(8, isRead: false, to: [1])])
        desk.wait(100)
        #expect(desk.frame(9, isAwaited: false).first == .copy(9, maxWidth: 320))
        #expect(desk.tell(.pictured(9)) == [.handOver(9, isRead: false, to: [3])])
        #expect(!desk.machine.isWanted)
    }

    @Test("At most ten a second, however many ask and whatever the camera's rate is", arguments: [1, 5, 7, 16, 33])
    func rate(interval: Int) {
        var desk = Desk()
        var copies = 0
        var id: UInt64 = 0
        for sequence in 0..<UInt64(10_000 / interval) {
            desk.wait(interval)
            id += 1
            _ = desk.ask(id)
            if desk.frame(sequence, isAwaited: false).isEmpty { continue }
            copies += 1
            _ = desk.tell(.pictured(sequence))
        }
        #expect(copies <= 100)
        #expect(copies >= 70)
    }

    @Test("Too many are turned away")
    func tooMany() {
        var desk = Desk()
        for id in 1...UInt64(PreviewMachine.maxAskers) { #expect(desk.ask(id) == []) }
        #expect(desk.ask(99) == [.turnAway(99)])
        _ = desk.tell(.left(1))
        #expect(desk.ask(99) == [])
    }
}
