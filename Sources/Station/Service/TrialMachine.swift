import Vocabulary

/// Decides when a version on trial has proved itself: it has been ready, its watchdog fed, its journal open, its readers and its camera running for
/// long enough without a break. Looked at as often as the watchdog asks; a look while something is wrong begins the time again.
struct TrialMachine: Sendable {
    enum Action: Hashable, Sendable {
        case nothing
        /// Once.
        case confirm
    }

    private let time: Duration
    private var isOnTrial: Bool
    private var wellSince: Instant?

    init(isOnTrial: Bool, time: Duration) {
        self.isOnTrial = isOnTrial
        self.time = time
    }

    /// - Parameter isWell: all of that holds.
    mutating func look(isWell: Bool, at now: Instant) -> Action {
        guard isOnTrial else { return .nothing }
        guard isWell else {
            wellSince = nil
            return .nothing
        }
        let since = wellSince ?? now
        wellSince = since
        guard since.duration(to: now) >= time else { return .nothing }
        isOnTrial = false
        return .confirm
    }
}
