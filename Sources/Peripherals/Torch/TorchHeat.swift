import Vocabulary

/// The torch's thermal budget: an LED without a heat sink must not stay on.
///
/// Time on uses up the budget of `maxOnTime`; time off restores it at the rate of a full cool-down. Once it is used up, the torch stays off
/// for `coolDown`. So one uninterrupted stretch lasts exactly `maxOnTime`, and switching off for a moment doesn't cheat the limit.
struct TorchHeat: Sendable {
    /// A limit without a pause wouldn't be a limit.
    static let shortestCoolDown: Duration = .seconds(1)

    /// `nil`: no limit.
    let maxOnTime: Duration?
    let coolDown: Duration
    /// On-time stored at `changedAt`.
    private var stored: Duration = .zero
    private var changedAt = Instant.zero
    private(set) var isOn = false
    private(set) var coolingUntil: Instant?

    init(maxOnTime: Duration?, coolDown: Duration) {
        self.maxOnTime = maxOnTime.map { max($0, .zero) }
        self.coolDown = max(coolDown, Self.shortestCoolDown)
    }

    mutating func turn(on: Bool, at now: Instant) {
        guard on != isOn else { return }
        stored = level(at: now)
        changedAt = now
        isOn = on
    }

    /// Starts a cool-down when the budget is used up, and ends one that is over. `true` while cooling.
    mutating func isCooling(at now: Instant) -> Bool {
        if let until = coolingUntil {
            if now < until { return true }
            coolingUntil = nil
            stored = .zero
            changedAt = now
        }
        guard let limit = maxOnTime, isOn, level(at: now) >= limit else { return false }
        coolingUntil = now.advanced(by: coolDown)
        return true
    }

    /// When the result of `isCooling` may change by itself.
    var changesAt: Instant? {
        if let coolingUntil { return coolingUntil }
        guard isOn, let limit = maxOnTime else { return nil }
        return changedAt.advanced(by: limit - stored)
    }

    private func level(at now: Instant) -> Duration {
        guard let limit = maxOnTime else { return .zero }
        let passed = changedAt.duration(to: now)
        if isOn { return stored + passed }
        guard passed < coolDown else { return .zero }
        return max(.zero, stored - limit * (passed / coolDown))
    }
}
