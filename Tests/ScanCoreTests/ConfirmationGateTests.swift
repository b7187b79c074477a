import TestSupport
import Testing

@testable import ScanCore
@testable import Settings
@testable import Vocabulary

@Suite struct ConfirmationGateTests {
    static func gate(_ policy: ConfirmationSettings.Policy) -> ConfirmationGate {
        var settings = ConfirmationSettings()
        settings.policy = policy
        settings.timeout = .seconds(10)
        return ConfirmationGate(settings: settings)
    }

    static func read(_ text: String, _ symbology: Symbology = .qrCode, sequence: UInt64 = 1) -> AcceptedSighting {
        AcceptedSighting(
            sighting: 1, session: 0, trigger: .presentation, acceptedAt: .ms(Int64(sequence) * 10),
            symbol: symbol(text, symbology), reads: 1, frame: frame(sequence), decodeTime: .zero)
    }

    @Test(arguments: Symbology.allCases) func neverLetsEverythingPass(_ symbology: Symbology) {
        var gate = Self.gate(.never)
        let read = Self.read("1", symbology)
        #expect(gate.handle(.offer(read, firstSequence: 1), at: .ms(10)) == [.pass(read)])
    }

    @Test(arguments: Symbology.allCases) func alphanumericHoldsBackWhatCanCarryLetters(_ symbology: Symbology) {
        var gate = Self.gate(.alphanumeric)
        let read = Self.read("1", symbology)
        let numeric: [Symbology] = [.upcA, .upcE, .ean8, .ean13, .itf, .itf14]
        let expected: ConfirmationGate.Action = numeric.contains(symbology) ? .pass(read) : .await(read)
        #expect(gate.handle(.offer(read, firstSequence: 1), at: .ms(10)) == [expected])
    }

    @Test(arguments: Symbology.allCases) func alwaysHoldsBackEverything(_ symbology: Symbology) {
        var gate = Self.gate(.always)
        let read = Self.read("1", symbology)
        #expect(gate.handle(.offer(read, firstSequence: 1), at: .ms(10)) == [.await(read)])
    }

    @Test func aConfirmedReadIsAcceptedAtTheConfirmation() {
        var gate = Self.gate(.always)
        let read = Self.read("a")
        _ = gate.handle(.offer(read, firstSequence: 1), at: .ms(10))
        var accepted = read
        accepted.acceptedAt = .ms(4000)
        #expect(gate.handle(.confirm, at: .ms(4000)) == [.ended(read, .confirmed), .pass(accepted)])
        #expect(gate.handle(.confirm, at: .ms(4001)).isEmpty)
    }

    @Test(arguments: [(ConfirmationGate.Event.refuse, ConfirmationEnd.refused), (.withdraw, .withdrawn)])
    func aRefusedOrWithdrawnReadIsGone(_ event: ConfirmationGate.Event, _ end: ConfirmationEnd) {
        var gate = Self.gate(.always)
        let read = Self.read("a")
        _ = gate.handle(.offer(read, firstSequence: 1), at: .ms(10))
        #expect(gate.handle(event, at: .ms(20)) == [.ended(read, end)])
        #expect(gate.waiting == nil && gate.deadline == nil)
        #expect(gate.handle(event, at: .ms(30)).isEmpty)
    }

    @Test func itTimesOut() {
        var gate = Self.gate(.always)
        let read = Self.read("a")
        _ = gate.handle(.offer(read, firstSequence: 1), at: .ms(10))
        #expect(gate.deadline == .ms(10_010))
        #expect(gate.handle(.tick, at: .ms(10_009)).isEmpty)
        #expect(gate.handle(.tick, at: .ms(10_010)) == [.ended(read, .timedOut)])
    }

    @Test func aCodeThatComesIntoViewLaterReplacesIt() {
        var gate = Self.gate(.always)
        let (first, second) = (Self.read("a", sequence: 1), Self.read("b", sequence: 2))
        _ = gate.handle(.offer(first, firstSequence: 1), at: .ms(10))
        #expect(gate.admits(.qrCode, firstSequence: 2))
        #expect(
            gate.handle(.offer(second, firstSequence: 2), at: .ms(20)) == [.ended(first, .replaced), .await(second)])
        #expect(gate.deadline == .ms(10_020))
    }

    @Test func aCodeThatWasInViewAlreadyWaitsForItsTurn() {
        var gate = Self.gate(.always)
        _ = gate.handle(.offer(Self.read("a", sequence: 5), firstSequence: 5), at: .ms(50))
        #expect(!gate.admits(.qrCode, firstSequence: 5))
        #expect(gate.handle(.offer(Self.read("b", sequence: 6), firstSequence: 5), at: .ms(60)).isEmpty)
        #expect(gate.waiting?.symbol.text == "a")
    }

    @Test func aNumericCodeBesideAWaitingOnePassesAndLetsItWait() {
        var gate = Self.gate(.alphanumeric)
        let numeric = Self.read("4006381333931", .ean13, sequence: 5)
        _ = gate.handle(.offer(Self.read("a", sequence: 5), firstSequence: 5), at: .ms(50))
        #expect(gate.handle(.offer(numeric, firstSequence: 5), at: .ms(50)) == [.pass(numeric)])
        #expect(gate.waiting != nil)
        // One that comes later is a new read, and takes its place.
        let later = Self.read("4006381333931", .ean13, sequence: 6)
        let actions = gate.handle(.offer(later, firstSequence: 6), at: .ms(60))
        #expect(actions.count == 2 && actions.last == .pass(later) && gate.waiting == nil)
    }

    @Test func aPolicyWithoutAnySourceOfConfirmationIsAProblem() {
        var settings = ConfirmationSettings()
        settings.acceptsCommand = false
        #expect(settings.problem == nil)
        settings.policy = .alphanumeric
        #expect(settings.problem?.contains("confirmation.policy is \"alphanumeric\"") == true)
        settings.button = ButtonSettings(line: LineSettings(line: "GPIO27"))
        #expect(settings.problem == nil)
        settings.button = nil
        settings.acceptsCommand = true
        #expect(settings.problem == nil)
        settings.timeout = .zero
        #expect(settings.problem?.contains("confirmation.timeout") == true)
    }
}
