/// What a line (or the PWM channel of a buzzer) is for. Names it in notices, traces and error texts.
package enum LineRole: String, CaseIterable, Hashable, Sendable {
    case torch
    /// Indicators.
    case good, error, ready
    case buzzer
    case relay
    /// Buttons.
    case trigger, confirm

    /// The configuration key to change when the line isn't available.
    package var settingsKey: String {
        switch self {
        case .torch: "torch.line"
        case .good: "indicators.good"
        case .error: "indicators.error"
        case .ready: "indicators.ready"
        case .buzzer: "buzzer.line"
        case .relay: "relay.line"
        case .trigger: "trigger.button"
        case .confirm: "confirmation.button"
        }
    }

    /// What the kernel and other programs (`gpioinfo`) show as the line's holder. The kernel keeps 31 characters.
    package var consumer: String { "scanstation-\(rawValue)" }
}
