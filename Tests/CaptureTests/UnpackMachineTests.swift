import Capture
import Settings
import TestSupport
import Testing
import Vocabulary

@Suite struct UnpackMachineTests {
    private var machine = UnpackMachine()

    init() { _ = machine.handle(.started, at: Self.at(0)) }

    private static func at(_ milliseconds: Int64) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    /// Frames thirty times a second: each decoded unless `isDamaged` says otherwise.
    private mutating func frames(_ range: Range<Int64>, damaged isDamaged: (Int64) -> Bool) -> [UnpackMachine.Action] {
        var actions: [UnpackMachine.Action] = []
        for number in range {
            let event = isDamaged(number) ? UnpackMachine.Event.damaged("cut") : .decoded
            actions += machine.handle(event, at: Self.at(number * 33))
        }
        return actions
    }

    @Test mutating func `an occasional damaged frame isn't reported`() {
        #expect(frames(0..<3000) { $0 % 300 < 2 && $0 % 600 < 2 }.isEmpty)
    }

    @Test mutating func `damage that goes on is reported once, and again after it was over`() {
        #expect(frames(0..<3000) { $0 % 10 == 0 } == [.tellDamaged(count: 3, "cut")])
        #expect(frames(3000..<4000) { _ in false }.isEmpty)
        #expect(frames(4000..<6000) { $0 % 10 == 0 } == [.tellDamaged(count: 3, "cut")])
    }

    @Test mutating func `nothing but damage ends the run before the camera counts as silent`() throws {
        let actions = frames(0..<200) { _ in true }
        #expect(actions == [.tellDamaged(count: 3, "cut"), .fail("cut")])
        #expect(UnpackMachine.Limits().patience < CaptureSettings().frameTimeout)
    }

    @Test mutating func `a few damaged frames from a slow camera don't end the run`() {
        for second in 1...4 as ClosedRange<Int64> {
            let actions = machine.handle(.damaged("cut"), at: Self.at(second * 1000))
            #expect(!actions.contains(.fail("cut")))
        }
        #expect(machine.handle(.damaged("cut"), at: Self.at(5000)) == [.fail("cut")])
        #expect(machine.handle(.damaged("cut"), at: Self.at(6000)).isEmpty, "it is told once")
    }

    @Test mutating func `lost processes are started again after longer and longer waits, which a quiet time shortens`()
    {
        #expect(machine.mayRestart(at: Self.at(0)))
        var now: Int64 = 0
        var waits: [Int64] = []
        for _ in 0..<8 {
            now += 50
            _ = machine.handle(.decoded, at: Self.at(now))
            #expect(machine.handle(.lost("gone"), at: Self.at(now)) == [.tellLost("gone")])
            let begin = now
            while !machine.mayRestart(at: Self.at(now)) { now += 50 }
            waits.append(now - begin)
        }
        #expect(waits == [100, 200, 400, 800, 1600, 3200, 5000, 5000])
        now += 10_000
        _ = machine.handle(.decoded, at: Self.at(now))
        _ = machine.handle(.lost("gone"), at: Self.at(now))
        #expect(machine.mayRestart(at: Self.at(now + 100)))
    }

    @Test mutating func `a process that is lost before anything was decoded ends the run`() {
        #expect(machine.handle(.lost("hangs"), at: Self.at(1000)) == [.fail("hangs")])
        #expect(machine.handle(.started, at: Self.at(2000)).isEmpty && machine.mayRestart(at: Self.at(2000)))
        #expect(machine.handle(.lost("hangs"), at: Self.at(2100)) == [.tellLost("hangs")], "of the run before")
    }
}
