import Settings
import Vocabulary

/// Everything about the torch, in the terms of a phone's.
package struct TorchStatus: Hashable, Sendable {
    /// Why the light isn't available right now.
    package enum Unavailability: Hashable, Sendable {
        /// No `torch` in the configuration.
        case notConfigured
        /// We don't hold the line; what happened and what to do.
        case line(String)
        /// It was on for `maxOnTime`.
        case coolingDown(until: Instant)
        /// The system is too hot or short of power.
        case systemPressure
        /// The station is stopping.
        case shutDown
    }

    /// Configured, and its line exists.
    package var hasTorch: Bool
    /// The level of the line as read back, not as requested.
    package var isActive: Bool
    package var mode: TorchMode
    package var unavailability: Unavailability?
    /// How often it was lit since the start.
    package var timesLit: UInt64

    package init(
        hasTorch: Bool, isActive: Bool = false, mode: TorchMode = .off, unavailability: Unavailability? = nil,
        timesLit: UInt64 = 0
    ) {
        self.hasTorch = hasTorch
        self.isActive = isActive
        self.mode = mode
        self.unavailability = unavailability
        self.timesLit = timesLit
    }

    /// We hold the line, and only the mode keeps the light off.
    package var isAvailable: Bool { hasTorch && unavailability == nil }

    package static let none = TorchStatus(hasTorch: false, unavailability: .notConfigured)
}
