/// What the person who turns the camera asks of `aim`.
package enum AimRequest: Hashable, CaseIterable, Sendable {
    /// Frames are read, even where reading waits for a trigger, and the buzzer follows the sharpness.
    case buzzer
    /// Frames are read, and nothing is heard: somebody looks at the console's page.
    case look
    case off
}
