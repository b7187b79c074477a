import Vocabulary

/// One thing that happened on a simulated panel.
package struct PanelChange: Hashable, Sendable {
    package enum What: Hashable, Sendable {
        /// A part of the station took the line; an output is inactive from then on.
        case taken
        /// An output was driven.
        case level(Bool)
        /// A buzzer was set: 0 silent, 1 its own pitch, else hertz.
        case tone(hertz: Int)
        /// A button was pressed or released.
        case pressed(Bool)
        /// The line was given back, at its current level.
        case givenBack
        /// Somebody at the desk made the line fail, or work again.
        case fault(SimulatedPanel.Fault?)
    }

    /// Counts from 1, without gaps.
    package var number: UInt64
    package var at: Instant
    /// What the station uses the line for; `nil` while it doesn't.
    package var role: LineRole?
    /// Its name in the configuration.
    package var line: String
    package var what: What
}

/// A line of a simulated panel at one moment.
package struct PanelLine: Hashable, Sendable {
    package var line: String
    /// What the station uses it for; the last use when it has been given back.
    package var role: LineRole?
    package var isHeld: Bool
    package var isInput: Bool
    /// Logical level: an LED lights, a buzzer sounds, a button is pressed. Stays as it was when the line is given back.
    package var isActive: Bool
    /// Buzzers only: 0 silent, 1 its own pitch, else hertz.
    package var toneHertz: Int
    package var fault: SimulatedPanel.Fault?
}
