import Station
import TestSupport
import Testing
import Vocabulary

@Suite("Watchdog machine")
struct WatchdogMachineTests {
    private var machine = WatchdogMachine(limit: .seconds(20))

    private static func at(_ seconds: Int64) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    private static func look(given: UInt64, done: UInt64) -> WatchdogLook {
        WatchdogLook(duties: [.init(part: "camera", given: given, done: done, patience: .seconds(7))])
    }

    @Test("A question is asked when it is due, and only its answer feeds")
    mutating func feeds() {
        #expect(machine.handle(.due, at: Self.at(0)) == [.ask(1)])
        #expect(machine.handle(.answered(1, WatchdogLook()), at: Self.at(1)) == [.feed])
        #expect(machine.handle(.answered(1, WatchdogLook()), at: Self.at(2)) == [], "a second answer to it")
        #expect(machine.handle(.due, at: Self.at(5)) == [.ask(2)])
        #expect(machine.handle(.answered(1, WatchdogLook()), at: Self.at(6)) == [], "an answer to an older one")
        #expect(machine.handle(.answered(2, WatchdogLook()), at: Self.at(6)) == [.feed])
    }

    @Test(
        "A scan loop that doesn't answer is told of after half the limit, again and again, and nothing feeds until it does"
    )
    mutating func silent() {
        _ = machine.handle(.due, at: Self.at(0))
        #expect(machine.handle(.due, at: Self.at(5)) == [])
        #expect(machine.handle(.due, at: Self.at(10)) == [])
        #expect(machine.handle(.due, at: Self.at(15)) == [.tell(.loopSilent(for: .seconds(15)))])
        #expect(machine.handle(.due, at: Self.at(20)) == [.tell(.loopSilent(for: .seconds(20)))])
        #expect(machine.handle(.answered(1, WatchdogLook()), at: Self.at(21)) == [.feed, .tellOver])
        #expect(machine.handle(.due, at: Self.at(25)) == [.ask(2)])
    }

    @Test("A part that has work but gets none of it done stops the feed, at the second look after its time")
    mutating func stalled() {
        var actions: [[WatchdogMachine.Action]] = []
        for step in 0..<6 as Range<UInt64> {
            let now = Self.at(Int64(step) * 5)
            _ = machine.handle(.due, at: now)
            actions.append(machine.handle(.answered(step + 1, Self.look(given: step, done: 9)), at: now))
        }
        #expect(
            actions == [
                [.feed], [.feed], [.feed], [.tell(.part("camera", for: .seconds(15)))],
                [.tell(.part("camera", for: .seconds(20)))], [.tell(.part("camera", for: .seconds(25)))],
            ])
        _ = machine.handle(.due, at: Self.at(30))
        #expect(machine.handle(.answered(7, Self.look(given: 7, done: 10)), at: Self.at(30)) == [.feed, .tellOver])
    }

    @Test("A part without work may rest forever, and its time starts with the next work")
    mutating func resting() {
        for step in 0..<100 as Range<UInt64> {
            _ = machine.handle(.due, at: Self.at(Int64(step) * 5))
            let answer = machine.handle(.answered(step + 1, Self.look(given: 3, done: 3)), at: Self.at(Int64(step) * 5))
            #expect(answer == [.feed])
        }
        // Work at last: seven seconds from here.
        _ = machine.handle(.due, at: Self.at(500))
        #expect(machine.handle(.answered(101, Self.look(given: 4, done: 3)), at: Self.at(500)) == [.feed])
        _ = machine.handle(.due, at: Self.at(505))
        #expect(machine.handle(.answered(102, Self.look(given: 5, done: 3)), at: Self.at(505)) == [.feed])
    }

    @Test("A machine that slept for an hour in between isn't taken for a stalled one")
    mutating func slept() {
        _ = machine.handle(.due, at: Self.at(0))
        _ = machine.handle(.answered(1, Self.look(given: 1, done: 1)), at: Self.at(0))
        _ = machine.handle(.due, at: Self.at(3600))
        #expect(machine.handle(.answered(2, Self.look(given: 2, done: 1)), at: Self.at(3600)) == [.feed])
        _ = machine.handle(.due, at: Self.at(3605))
        #expect(machine.handle(.answered(3, Self.look(given: 3, done: 2)), at: Self.at(3605)) == [.feed])
    }

    @Test(
        "Whatever happens in whatever order, there is at most one feed an answered question",
        arguments: 0..<50 as Range<UInt64>)
    func neverByItself(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var machine = WatchdogMachine(limit: .seconds(4))
        var now = Instant.zero
        var open: UInt64?
        for _ in 0..<500 {
            now = now.advanced(by: .milliseconds(Int64.random(in: 0...3_000, using: &random)))
            if Bool.random(using: &random) {
                let actions = machine.handle(.due, at: now)
                #expect(!actions.contains(.feed))
                for case .ask(let number) in actions { open = number }
            } else {
                let number = UInt64.random(in: 0...((open ?? 0) + 1), using: &random)
                let fed = machine.handle(.answered(number, WatchdogLook()), at: now).contains(.feed)
                #expect(fed == (number == open))
                if fed { open = nil }
            }
        }
    }

    @Test("Messages are lines of assignments, and no text begins another one")
    func messages() {
        #expect(
            ServiceMessage.datagram([.ready, .status("camera running; 3 scans")])
                == "READY=1\nSTATUS=camera running; 3 scans")
        #expect(
            ServiceMessage.datagram([.reloading(monotonicMicroseconds: 17)]) == "RELOADING=1\nMONOTONIC_USEC=17")
        #expect(ServiceMessage.datagram([.stopping]) == "STOPPING=1")
        #expect(ServiceMessage.datagram([.keepAlive]) == "WATCHDOG=1")
        let status = ServiceMessage.datagram([.status("a\nWATCHDOG=1\r\u{1B}[2J")])
        #expect(status == "STATUS=a WATCHDOG=1  [2J")
        #expect(ServiceMessage.datagram([.status(String(repeating: "x", count: 5_000))]).count < 500)
    }
}
