import TestSupport

@testable import ScanCore
@testable import Settings
@testable import Vocabulary

/// A scan machine with its clock and a memory of what it asked for.
struct ScanMachineBench {
    var machine: ScanMachine
    private(set) var log: [ScanMachine.Action] = []
    /// What the shell would be doing now.
    private(set) var isReading = false
    private(set) var effort = ReadEffort.Kind.quick
    private(set) var camera = CameraDemand.stop
    private(set) var isPending = false
    private(set) var wakeAt: Instant?

    init(
        _ mode: TriggerMode = .presentation, policy: ConfirmationSettings.Policy = .never,
        idle: CaptureSettings.Idle = .run, started: Bool = true, _ change: (inout TriggerSettings) -> Void = { _ in }
    ) {
        var trigger = TriggerSettings()
        trigger.mode = mode
        trigger.timeout = .seconds(5)
        trigger.sameSymbolTimeout = .milliseconds(50)
        change(&trigger)
        var confirmation = ConfirmationSettings()
        confirmation.policy = policy
        confirmation.timeout = .seconds(10)
        machine = ScanMachine(
            trigger: trigger, confirmation: confirmation, symbologies: ReadingSettings.defaultSymbologies, idle: idle)
        if started { self(.start, 0) }
    }

    @discardableResult
    mutating func callAsFunction(_ event: ScanMachine.Event, _ milliseconds: Int64) -> [ScanMachine.Action] {
        let actions = machine.handle(event, at: .ms(milliseconds))
        for action in actions {
            switch action {
            case .reading(let isOn, let effort): (isReading, self.effort) = (isOn, effort)
            case .camera(let demand): camera = demand
            case .pending(let isPending): self.isPending = isPending
            case .wakeAt(let instant): wakeAt = instant
            default: break
            }
        }
        log += actions
        return actions
    }

    /// A frame that arrives 5 ms after its exposure at 10 × `sequence` ms.
    @discardableResult
    mutating func read(
        _ sequence: UInt64, _ symbols: [Symbol] = [], outcome: ReadResult.Outcome = .decoded
    ) -> [ScanMachine.Action] {
        let result = TestSupport.read(sequence, symbols, outcome: outcome)
        return self(.read(result), Int64(sequence) * 10 + 5)
    }
}

extension [ScanMachine.Action] {
    var accepted: [String] { compactMap { if case .accept(let s) = $0 { s.symbol.text } else { nil } } }
    var noReads: [NoReadReason] { compactMap { if case .noRead(let n) = $0 { n.reason } else { nil } } }
    var ends: [SessionOutcome] { compactMap { if case .endSession(_, let outcome) = $0 { outcome } else { nil } } }
    var starts: [UInt64] { compactMap { if case .startSession(let id, _) = $0 { id } else { nil } } }
    var confirmations: [ConfirmationEnd] {
        compactMap { if case .confirmationEnded(let end) = $0 { end } else { nil } }
    }
    var awaited: [String] { compactMap { if case .awaitConfirmation(let s) = $0 { s.text } else { nil } } }
}
