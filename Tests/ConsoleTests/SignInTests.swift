import Testing
import Vocabulary

@testable import Console

@Suite("Console: sessions and tries") struct SignInTests {
    private let start = Instant(nanoseconds: 5_000_000_000)

    private func after(_ seconds: Int) -> Instant { start.advanced(by: .seconds(seconds)) }

    @Test("a session lives while it is used, and at most 30 days")
    func lifetime() {
        var sessions = SessionMachine()
        sessions.begin([1], at: start)
        for hour in stride(from: 11, through: 719, by: 11) {
            #expect(sessions.isSignedIn([1], at: after(hour * 3600)) == true)
        }
        #expect(sessions.isSignedIn([1], at: after(720 * 3600)) == false)
        sessions.begin([2], at: start)
        #expect(sessions.isSignedIn([2], at: after(12 * 3600)) == false)
        #expect(sessions.count == 0)
    }

    @Test("the look of a stream isn't a use")
    func looked() {
        var sessions = SessionMachine()
        sessions.begin([1], at: start)
        #expect(sessions.isAlive([1], at: after(12 * 3600 - 1)))
        #expect(sessions.isSignedIn([1], at: after(12 * 3600)) == false)
    }

    @Test("sessions are bounded: the one that was idle longest goes")
    func bounded() {
        var limits = SessionMachine.Limits()
        limits.most = 3
        var sessions = SessionMachine(limits: limits)
        for number in 1...3 { sessions.begin([UInt8(number)], at: after(number)) }
        #expect(sessions.isSignedIn([1], at: after(4)) == true)
        sessions.begin([4], at: after(5))
        #expect(sessions.count == 3)
        #expect(sessions.isSignedIn([2], at: after(5)) == false)
        #expect(sessions.isSignedIn([1], at: after(5)) == true)
        sessions.endAll(except: [4])
        #expect(sessions.isSignedIn([1], at: after(6)) == false)
        #expect(sessions.isSignedIn([4], at: after(6)) == true)
        sessions.end([4])
        #expect(sessions.isSignedIn([4], at: after(6)) == false)
    }

    @Test("an empty hash, which a failed digest gives, is nobody's")
    func noHash() {
        var sessions = SessionMachine()
        sessions.begin([], at: start)
        #expect(sessions.isSignedIn([], at: start) == false)
    }

    @Test("five tries a minute from one peer, then it waits until the first is a minute old")
    func perPeer() {
        var tries = TryMachine()
        let peer = Peer("192.168.1.7")
        for second in 0..<5 { #expect(tries.attempt(.password, from: peer, at: after(second)) == .allowed) }
        #expect(tries.attempt(.password, from: peer, at: after(10)) == .wait(.seconds(50)))
        #expect(tries.attempt(.key, from: peer, at: after(10)) == .wait(.seconds(50)))
        #expect(tries.attempt(.password, from: Peer("192.168.1.8"), at: after(10)) == .allowed)
        #expect(tries.attempt(.password, from: peer, at: after(60)) == .allowed)
        #expect(tries.attempt(.password, from: peer, at: after(60)) == .wait(.seconds(1)))
    }

    @Test("an attacker with any number of addresses is bounded, and doesn't lock the owner out")
    func inAll() {
        var tries = TryMachine()
        let owner = Peer("192.168.1.50")
        #expect(tries.attempt(.password, from: owner, at: start) == .allowed)
        tries.succeeded(owner)
        var allowed = 0
        for number in 0..<5000
        where tries.attempt(.password, from: Peer("10.0.\(number / 250).\(number % 250)"), at: after(100)) == .allowed {
            allowed += 1
        }
        #expect(allowed == 30)
        #expect(tries.attempt(.password, from: owner, at: after(101)) == .allowed)
        #expect(tries.attempt(.password, from: Peer("127.0.0.1"), at: after(101)) == .allowed)
        #expect(tries.attempt(.key, from: Peer("192.168.1.51"), at: after(101)) == .allowed)
        if case .allowed = tries.attempt(.password, from: Peer("192.168.1.52"), at: after(101)) {
            Issue.record("a stranger isn't bounded")
        }
    }

    @Test("a /64 of IPv6 is one peer; an IPv4 address in IPv6's clothes is itself")
    func peers() {
        #expect(Peer("2001:db8::1") == Peer("2001:db8::ffff:2"))
        #expect(Peer("2001:db8:0:1::1") != Peer("2001:db8::1"))
        #expect(Peer("::ffff:192.168.1.7") == Peer("192.168.1.7"))
        #expect(Peer("::1").isThisMachine && Peer("127.8.8.8").isThisMachine && Peer("::ffff:127.0.0.1").isThisMachine)
        #expect(!Peer("128.0.0.1").isThisMachine && !Peer(nil).isThisMachine && !Peer("::2").isThisMachine)
    }
}
