import Peripherals
import Settings
import Testing
import Vocabulary

@Suite struct RelayMachineTests {
    static func machine(pulse: Duration = .milliseconds(500), max: Duration = .seconds(10)) -> RelayMachine {
        var settings = RelaySettings(line: LineSettings(line: "GPIO26"))
        settings.pulse = pulse
        settings.maxPulse = max
        return RelayMachine(settings: settings)
    }

    static func at(_ milliseconds: Int) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    @Test func aPulseClosesAndOpensTheContact() {
        var relay = Self.machine()
        #expect(!relay.isActive)
        #expect(relay.handle(.pulse(.milliseconds(500)), at: .zero) == [.drive(true)])
        #expect(relay.activeUntil == Self.at(500))
        #expect(relay.handle(.tick, at: Self.at(499)) == [])
        #expect(relay.handle(.tick, at: Self.at(500)) == [.drive(false)])
        #expect(relay.activeUntil == nil)
    }

    @Test func noSettingHoldsTheContactForLongerThanAPulseMayBe() {
        let relay = Self.machine(pulse: .seconds(3600), max: .seconds(3600))
        #expect(relay.length(of: nil) == .success(.seconds(60)))
        #expect(relay.length(of: .seconds(61)) == .failure(.tooLong(.seconds(61))))
    }

    @Test func aSecondPulseExtendsTheFirstButNeverShortensIt() {
        var relay = Self.machine()
        _ = relay.handle(.pulse(.milliseconds(500)), at: .zero)
        #expect(relay.handle(.pulse(.milliseconds(100)), at: Self.at(100)) == [])
        #expect(relay.activeUntil == Self.at(500))
        #expect(relay.handle(.pulse(.milliseconds(500)), at: Self.at(400)) == [])
        #expect(relay.activeUntil == Self.at(900))
    }

    @Test func noChainOfPulsesIsLongerThanTheMaximum() {
        var relay = Self.machine(max: .seconds(1))
        _ = relay.handle(.pulse(.seconds(1)), at: .zero)
        _ = relay.handle(.pulse(.seconds(1)), at: Self.at(900))
        #expect(relay.activeUntil == Self.at(1000))
    }

    @Test func aLateTimerDoesNotJoinTwoPulses() {
        var relay = Self.machine()
        _ = relay.handle(.pulse(.milliseconds(500)), at: .zero)
        #expect(relay.handle(.pulse(.milliseconds(500)), at: Self.at(600)) == [.drive(false), .drive(true)])
        #expect(relay.activeUntil == Self.at(1100))
    }

    @Test func lengthsBeyondTheLimitsAreRefused() {
        let relay = Self.machine()
        #expect(relay.length(of: .milliseconds(9)) == .failure(.tooShort(.milliseconds(9))))
        #expect(relay.length(of: .milliseconds(10)) == .success(.milliseconds(10)))
        #expect(relay.length(of: .seconds(10)) == .success(.seconds(10)))
        #expect(relay.length(of: .milliseconds(10_001)) == .failure(.tooLong(.milliseconds(10_001))))
        #expect(relay.length(of: .seconds(-1)) == .failure(.tooShort(.seconds(-1))))
    }

    @Test func theConfiguredLengthIsHeldToTheMaximum() {
        #expect(Self.machine(pulse: .seconds(60)).length(of: nil) == .success(.seconds(10)))
        #expect(Self.machine(pulse: .zero).length(of: nil) == .success(.milliseconds(10)))
    }

    @Test func aPulseThatLostItsLineIsNotResumed() {
        var relay = Self.machine()
        _ = relay.handle(.pulse(.milliseconds(500)), at: .zero)
        #expect(relay.handle(.lineLost, at: Self.at(100)) == [])
        #expect(!relay.isActive)
        #expect(relay.handle(.tick, at: Self.at(500)) == [])
    }

    @Test func stoppingOpensTheContact() {
        var relay = Self.machine()
        #expect(relay.handle(.stop, at: .zero) == [])
        _ = relay.handle(.pulse(.milliseconds(500)), at: .zero)
        #expect(relay.handle(.stop, at: Self.at(1)) == [.drive(false)])
    }
}
