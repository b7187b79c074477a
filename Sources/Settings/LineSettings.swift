/// Which GPIO line, and which of its levels means "active".
package struct LineSettings: Hashable, Sendable {
    /// A line's name (`GPIO17`), looked up on every chip; or `LABEL:OFFSET` (`pinctrl-rp1:17`). A bare number in YAML means
    /// `GPIO<number>`.
    package var line: String
    /// Active at the low level (LED to 3.3 V, button to ground).
    package var activeLow: Bool

    package init(line: String, activeLow: Bool = false) {
        self.line = line
        self.activeLow = activeLow
    }
}

/// A lamp on a GPIO line.
package struct TorchSettings: Hashable, Sendable {
    package var line: LineSettings
    package var mode: TorchMode = .off
    /// The longest time on without a break; then it cools down. `nil`: no limit.
    package var maxOnTime: Duration? = .seconds(60)
    package var coolDown: Duration = .seconds(30)
    /// `auto`: on below this, off above twice this. Lux, where the camera reports it.
    package var autoLux: Float = 20
    /// The same for cameras that don't: mean luma of the frame, 0…255.
    package var autoLuma: Float = 40

    package init(line: LineSettings) { self.line = line }
}

/// When the torch is lit.
package enum TorchMode: String, CaseIterable, Hashable, Sendable {
    case off, on
    /// Follows the scene's light.
    case auto
    /// Lit only while a session reads.
    case session
}

/// The LEDs, each on a line of its own.
package struct IndicatorSettings: Hashable, Sendable {
    /// Lit on a good read.
    package var good: LineSettings?
    /// Lit on errors.
    package var error: LineSettings?
    /// Lit while the station can scan.
    package var ready: LineSettings?

    package init() {}
}

/// The buzzer: an active one on a line, or a passive one on a PWM channel.
package struct BuzzerSettings: Hashable, Sendable {
    package enum Drive: Hashable, Sendable {
        /// Active buzzer: sounds by itself on a level.
        case line(LineSettings)
        /// Passive buzzer on the kernel's sysfs PWM: `/sys/class/pwm/pwmchip<chip>/pwm<channel>`.
        case pwm(chip: Int, channel: Int)
    }

    package var drive: Drive
    /// Passive only: hertz, 20…20000, where a pattern names none.
    package var frequencyHertz = 2700
    /// Passive only: 0…1 (duty cycle up to one half).
    package var volume: Double = 1

    package init(drive: Drive) { self.drive = drive }
}

/// The relay that drives a door strike or a machine.
package struct RelaySettings: Hashable, Sendable {
    /// How long a pulse may be, whoever asks: a host's answer, a command, the configuration. Relays and door strikes can't follow a shorter
    /// one, and a door must not be held open longer.
    package static let pulses: ClosedRange<Duration> = .milliseconds(10)...(.seconds(60))

    package var line: LineSettings
    /// Length of a pulse. 10 ms … `maxPulse`.
    package var pulse: Duration = .milliseconds(500)
    /// The longest pulse, whoever asks. 10 ms … 60 s.
    package var maxPulse: Duration = .seconds(10)

    package init(line: LineSettings) { self.line = line }
}

/// A push button on a GPIO line.
package struct ButtonSettings: Hashable, Sendable {
    package enum Bias: String, CaseIterable, Hashable, Sendable {
        case pullUp, pullDown, none
    }

    /// By default buttons are wired to ground: active low.
    package var line: LineSettings
    package var bias: Bias = .pullUp
    /// 0…200 ms.
    package var debounce: Duration = .milliseconds(10)

    package init(line: LineSettings) { self.line = line }
}
