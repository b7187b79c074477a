import ScanCore

/// One thing that happened on a simulated panel.
public struct PanelChange: Hashable, Sendable {
    public enum What: Hashable, Sendable {
        /// Somebody of the station took the line; an output is inactive from then on.
        case taken
        /// An output was driven.
        case level(Bool)
        /// A buzzer was set: 0 silent, 1 its own pitch, else hertz.
        case tone(hertz: Int)
        /// A button was pressed or released.
        case pressed(Bool)
        /// The line was given back, at the level it has.
        case givenBack
        /// Somebody at the desk made the line fail, or work again.
        case fault(SimulatedPanel.Fault?)
    }

    /// Counts from 1, without gaps.
    public var number: UInt64
    public var at: Instant
    /// What the station uses the line for; `nil` while it doesn't.
    public var role: LineRole?
    /// Its name in the configuration.
    public var line: String
    public var what: What
}

/// A line of a simulated panel at one moment.
public struct PanelLine: Hashable, Sendable {
    public var line: String
    /// What the station uses it for; the last use when it has been given back.
    public var role: LineRole?
    public var isHeld: Bool
    public var isInput: Bool
    /// Logical level: an LED lights, a buzzer sounds, a button is pressed. Stays as it was when the line is given back.
    public var isActive: Bool
    /// Buzzers only: 0 silent, 1 its own pitch, else hertz.
    public var toneHertz: Int
    public var fault: SimulatedPanel.Fault?
}
