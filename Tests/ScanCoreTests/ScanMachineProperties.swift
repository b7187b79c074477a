import TestSupport
import Testing

@testable import ScanCore
@testable import Settings
@testable import Vocabulary

/// Random days of a station: a scene in which codes come and go, results that fail, come late or are gated, buttons, commands
/// and a camera that behave as they like. Whatever happens, the promises of `ScanMachineChecker` hold.
@Suite struct ScanMachineProperties {
    struct Case: CustomTestStringConvertible {
        let mode: TriggerMode
        let policy: ConfirmationSettings.Policy
        var testDescription: String { "\(mode), confirmation \(policy)" }
    }

    static let cases = TriggerMode.allCases.flatMap { mode in
        ConfirmationSettings.Policy.allCases.map { Case(mode: mode, policy: $0) }
    }

    static let codes: [(String, Symbology)] = [
        ("4006381333931", .ean13), ("hello", .qrCode), ("CODE39", .code39), ("12345670", .ean8), ("", .dataMatrix),
    ]

    /// One random day.
    struct Day {
        var random: SeededGenerator
        var machine: ScanMachine
        var checker: ScanMachineChecker
        var now: Int64 = 0
        var sequence: UInt64 = 0
        var shown: Set<Int> = []
        /// Results that another worker is slow with.
        var delayed: [ReadResult] = []
        var isPaused = false
        var isJournalLost = false

        init(_ wanted: Case, seed: UInt64) {
            random = SeededGenerator(seed: seed)
            var trigger = TriggerSettings()
            trigger.mode = wanted.mode
            trigger.timeout = .milliseconds(Int64.random(in: 50...2000, using: &random))
            trigger.sameSymbolTimeout = .milliseconds([0, 30, 200].randomElement(using: &random) ?? 0)
            trigger.repeatInterval = [nil, .milliseconds(100)].randomElement(using: &random) ?? nil
            trigger.gap = .milliseconds([0, 0, 70].randomElement(using: &random) ?? 0)
            trigger.maxScans = Int.random(in: 1...3, using: &random)
            trigger.releaseGrace = .milliseconds(Int64.random(in: 0...150, using: &random))
            trigger.pulseCancels = Bool.random(using: &random)
            trigger.reportsNoRead = Bool.random(using: &random)
            var confirmation = ConfirmationSettings()
            confirmation.policy = wanted.policy
            confirmation.timeout = .milliseconds(Int64.random(in: 20...1000, using: &random))
            var limits = SightingTracker.Limits()
            limits.maxSightings = 8
            machine = ScanMachine(
                trigger: trigger, confirmation: confirmation,
                idle: CaptureSettings.Idle.allCases.randomElement(using: &random) ?? .run, limits: limits)
            checker = ScanMachineChecker(trigger: trigger, policy: wanted.policy)
        }

        mutating func send(_ event: ScanMachine.Event, ago: Int64 = 0) {
            if case .read(let result) = event { checker.watch(result, isScanning: !isPaused && !isJournalLost) }
            let at = Instant.ms(now - ago)
            checker.check(machine.handle(event, at: at), event: event, at: at, now: .ms(now))
        }

        mutating func frame() {
            sequence += 1
            for index in 0..<ScanMachineProperties.codes.count where Int.random(in: 0..<12, using: &random) == 0 {
                shown.formSymmetricDifference([index])
            }
            var symbols: [Symbol] = []
            for index in shown.sorted() where Int.random(in: 0..<6, using: &random) > 0 {
                let (text, symbology) = ScanMachineProperties.codes[index]
                symbols.append(
                    symbol(
                        text, symbology,
                        at: .at(0.1 + 0.2 * Double(index), Double.random(in: 0.2...0.8, using: &random)),
                        content: UInt64.random(in: 0...2, using: &random)))
            }
            let outcome: ReadResult.Outcome =
                [.decoded, .decoded, .decoded, .decoded, .unchanged, .blank, .crashed, .timedOut]
                .randomElement(using: &random) ?? .decoded
            let isBlind = outcome == .blank || outcome == .crashed || outcome == .timedOut
            let info = FrameInfo(
                sequence: sequence, exposedAt: .ms(now - Int64.random(in: 1...60, using: &random)),
                deliveredAt: .ms(now))
            let result = ReadResult(frame: info, outcome: outcome, symbols: isBlind ? [] : symbols)
            if Int.random(in: 0..<10, using: &random) == 0 {
                delayed.append(result)
            } else {
                send(.read(result))
            }
        }

        mutating func step() {
            now += Int64.random(in: 0...30, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<70: frame()
            case 70..<74: if !delayed.isEmpty { send(.read(delayed.removeFirst())) }
            case 74..<79: send(.pressed, ago: Int64.random(in: 0...20, using: &random))
            case 79..<83: send(.released, ago: Int64.random(in: 0...20, using: &random))
            case 83..<86: send(.trigger)
            case 86..<88: send(.release)
            case 88..<91: send(.confirm)
            case 91: send(.cancelConfirmation)
            case 92: send(.cameraLost)
            case 93: send(.cameraBack)
            case 94:
                if isJournalLost || Int.random(in: 0..<4, using: &random) == 0 { loseJournal(!isJournalLost) }
            case 95: pause(true)
            case 96..<98: pause(false)
            case 98:
                send(.look(for: Bool.random(using: &random) ? .aim : .firstPassword, Bool.random(using: &random)))
            default: send(.tick)
            }
            // Usually the timer works.
            if let wakeAt = checker.wakeAt, wakeAt <= .ms(now), Int.random(in: 0..<4, using: &random) > 0 {
                send(.tick)
            }
        }

        mutating func loseJournal(_ isLost: Bool) {
            isJournalLost = isLost
            send(isLost ? .journalLost : .journalBack)
        }

        mutating func pause(_ isPaused: Bool) {
            self.isPaused = isPaused
            send(isPaused ? .pause : .resume)
        }
    }

    @Test(arguments: cases) func promisesHoldOnRandomDays(_ wanted: Case) {
        var (accepts, sessions, waits, looks) = (0, 0, 0, 0)
        for seed in UInt64(0)..<50 {
            var day = Day(wanted, seed: seed)
            day.send(.start)
            for _ in 0..<400 { day.step() }
            day.send(.stop)
            day.checker.checkEnd()
            accepts += day.checker.acceptCount
            sessions += day.checker.sessionCount
            waits += day.checker.waitCount
            looks += day.checker.lookCount
        }
        // The random days covered all of this.
        #expect(accepts > 40)
        #expect((sessions > 40) == wanted.mode.isTriggered)
        #expect((looks > 40) == wanted.mode.isTriggered)
        #expect((waits > 40) == (wanted.policy != .never))
    }

    @Test(arguments: UInt64(0)..<20) func promisesHoldWhenModesChange(_ seed: UInt64) {
        var day = Day(Case(mode: .level, policy: .never), seed: seed)
        day.send(.start)
        for _ in 0..<30 {
            for _ in 0..<30 { day.step() }
            var settings = day.machine.trigger
            // Presentation is left out: its promise reaches over the change, and the checker's memory doesn't.
            settings.mode = [.level, .pulse, .host, .continuous].randomElement(using: &day.random) ?? .pulse
            day.send(.settings(settings))
        }
        day.send(.stop)
        day.checker.checkEnd()
    }

    @Test(arguments: UInt64(0)..<50) func presentationCountsLikeAPersonWould(_ seed: UInt64) {
        // One code, perfect decoders, frames every 10 ms: it is shown and hidden for random times. A person counts it again when
        // it was away for long enough.
        var random = SeededGenerator(seed: seed)
        var bench = ScanMachineBench(.presentation) { $0.sameSymbolTimeout = .milliseconds(100) }
        var sequence: UInt64 = 0
        var expected = 0
        var missed = UInt64.max
        for _ in 0..<60 {
            if missed > 10 { expected += 1 }
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                sequence += 1
                bench.read(sequence, [symbol("a")], outcome: Bool.random(using: &random) ? .decoded : .unchanged)
            }
            missed = UInt64.random(in: 1...20, using: &random)
            for _ in 0..<missed {
                sequence += 1
                bench.read(sequence)
            }
        }
        #expect(bench.log.accepted.count == expected)
    }
}
