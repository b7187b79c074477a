import Settings
import Vocabulary

/// Decides when the relay's contact is closed. It fails safe: off at the start, at the end and after its line was away, and never on for
/// longer than `maxPulse` without a break, whoever asks.
///
/// A pulse asked for while one runs extends it: the contact opens at the later of both ends, but no later than
/// `maxPulse` after it closed.
package struct RelayMachine: Sendable {
    package static let shortestPulse = RelaySettings.pulses.lowerBound

    package enum Event: Hashable, Sendable {
        case pulse(Duration)
        /// The line went away; when it comes back it is off and stays off, because nothing may happen late.
        case lineLost
        case tick
        case stop
    }

    package enum Action: Hashable, Sendable {
        case drive(Bool)
    }

    package enum Refusal: Error, Hashable, Sendable {
        case tooShort(Duration), tooLong(Duration)
    }

    package let settings: RelaySettings
    private var closedAt: Instant?
    private var opensAt: Instant?

    package init(settings: RelaySettings) { self.settings = settings }

    package var isActive: Bool { opensAt != nil }
    /// When the contact opens again; also when `tick` is due.
    package var activeUntil: Instant? { opensAt }

    /// The length a pulse will have, or why it is refused. `nil` asks for the configured length, which is clamped to the limits.
    package func length(of requested: Duration?) -> Result<Duration, Refusal> {
        guard let requested else {
            return .success(min(max(settings.pulse, Self.shortestPulse), longestPulse))
        }
        if requested < Self.shortestPulse { return .failure(.tooShort(requested)) }
        if requested > longestPulse { return .failure(.tooLong(requested)) }
        return .success(requested)
    }

    package var longestPulse: Duration {
        min(max(settings.maxPulse, Self.shortestPulse), RelaySettings.pulses.upperBound)
    }

    /// - Parameter event: a `.pulse` carries a length that `length(of:)` granted.
    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .pulse(let length):
            // A timer that is late must not join two pulses into one.
            var actions = handle(.tick, at: now)
            let start = closedAt ?? now
            let wanted = max(opensAt ?? now, now.advanced(by: length))
            opensAt = min(wanted, start.advanced(by: longestPulse))
            guard closedAt == nil else { return actions }
            closedAt = now
            actions.append(.drive(true))
            return actions
        case .tick:
            guard let end = opensAt, now >= end else { return [] }
            return open()
        case .lineLost:
            closedAt = nil
            opensAt = nil
            return []
        case .stop:
            return open()
        }
    }

    private mutating func open() -> [Action] {
        let wasActive = isActive
        closedAt = nil
        opensAt = nil
        return wasActive ? [.drive(false)] : []
    }
}
