import Vocabulary

extension ScanMachine {
    /// What the shell has to do, in this order.
    package enum Action: Hashable, Sendable {
        /// Never while another session is open. Ids rise by one from 1.
        case startSession(id: UInt64, trigger: TriggerMode)
        /// Exactly one for each `startSession`; its scans and its `noRead` come before it.
        case endSession(id: UInt64, outcome: SessionOutcome)
        /// Becomes a scan.
        case accept(AcceptedSighting)
        /// Only if `trigger.reportsNoRead`; `endSession` has the reason in any case.
        case noRead(NoRead)
        /// A read waits for its confirmation. A new one comes only after the `confirmationEnded` of the one before.
        case awaitConfirmation(Symbol)
        /// After `confirmed` the `accept` follows at once.
        case confirmationEnded(ConfirmationEnd)
        /// Whether frames are read at all, and how hard: `quick` always looks, `thorough` while a session waits. The torch
        /// mode `session` follows this one.
        case reading(isOn: Bool, effort: ReadEffort.Kind)
        /// A weak code was seen and needs another observation: the change gate has to let frames through.
        case pending(Bool)
        case camera(CameraDemand)
        /// A code is in view (weak ones: after agreement), whether or not it becomes a scan.
        case sightingAppeared(Sighting)
        /// Exactly one for each `sightingAppeared`.
        case sightingDisappeared(Sighting)
        /// Set the one timer to send `tick` then; `nil`: no timer.
        case wakeAt(Instant?)
    }
}
