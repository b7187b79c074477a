import Testing
import Vocabulary

@testable import Delivery

@Suite("Whether connections to a broker last") struct MQTTSteadinessTests {
    private let begin = Instant(nanoseconds: 1_000_000_000)

    private func steadiness() -> MQTTSteadiness { MQTTSteadiness(shortLife: .seconds(5), mostShortLives: 3) }

    private func after(_ seconds: Int) -> Instant { begin.advanced(by: .seconds(seconds)) }

    @Test("Three short connections in a row mean a fight over the id, and no success resets the waits")
    func fight() {
        var steadiness = steadiness()
        #expect(steadiness.ended(acceptedAt: begin, at: after(1)) == nil)
        #expect(steadiness.ended(acceptedAt: begin, at: after(4)) == nil)
        #expect(steadiness.isTrusted)
        #expect(steadiness.ended(acceptedAt: begin, at: after(4)) == 3)
        #expect(!steadiness.isTrusted)
        #expect(steadiness.ended(acceptedAt: begin, at: after(4)) == 4)
    }

    @Test("A connection of just five seconds isn't short, and ends the count")
    func long() {
        var steadiness = steadiness()
        for _ in 0..<2 { _ = steadiness.ended(acceptedAt: begin, at: after(1)) }
        #expect(steadiness.ended(acceptedAt: begin, at: after(5)) == nil)
        #expect(steadiness.ended(acceptedAt: begin, at: after(1)) == nil)
    }

    @Test("A broker that wasn't reached in between was stopped: that is no fight")
    func stopped() {
        var steadiness = steadiness()
        for _ in 0..<2 { _ = steadiness.ended(acceptedAt: begin, at: after(1)) }
        steadiness.wasNotReached()
        #expect(steadiness.ended(acceptedAt: begin, at: after(1)) == nil)
    }

    @Test("Takeovers count until a connection has lasted, whatever else happens")
    func takeovers() {
        var steadiness = steadiness()
        #expect(steadiness.takenOver() == 1)
        #expect(!steadiness.isTrusted)
        steadiness.wasNotReached()
        #expect(steadiness.takenOver() == 2)
        steadiness.hasLasted()
        #expect(steadiness.isTrusted)
        #expect(steadiness.takenOver() == 1)
    }
}
