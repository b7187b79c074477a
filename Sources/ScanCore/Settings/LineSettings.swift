/// Which GPIO line, and which of its levels means "active".
public struct LineSettings: Hashable, Sendable {
    /// A line's name (`GPIO17`), looked up on every chip; or `LABEL:OFFSET` (`pinctrl-rp1:17`). A bare number in YAML means
    /// `GPIO<number>`.
    public var line: String
    /// Active on the low level (LED to 3.3 V, button to ground).
    public var activeLow: Bool

    public init(line: String, activeLow: Bool = false) {
        self.line = line
        self.activeLow = activeLow
    }
}

public struct TorchSettings: Hashable, Sendable {
    public var line: LineSettings
    public var mode: TorchMode = .off
    /// Longest time on at a stretch; then it cools down. `nil` = no limit.
    public var maxOnTime: Duration? = .seconds(60)
    public var coolDown: Duration = .seconds(30)
    /// `auto`: on below this, off above twice this. Lux where the camera reports it, else mean luma (0…255) × 1.
    public var autoLux: Float = 20
    public var autoLuma: Float = 40

    public init(line: LineSettings) { self.line = line }
}

public enum TorchMode: String, CaseIterable, Hashable, Sendable {
    case off, on
    /// Follows the scene's light.
    case auto
    /// Lit only while a session reads.
    case session
}

public struct IndicatorSettings: Hashable, Sendable {
    /// Lit on a good read.
    public var good: LineSettings?
    /// Lit on errors.
    public var error: LineSettings?
    /// Lit while the station can scan.
    public var ready: LineSettings?

    public init() {}
}

public struct BuzzerSettings: Hashable, Sendable {
    public enum Drive: Hashable, Sendable {
        /// Active buzzer: sounds by itself on a level.
        case line(LineSettings)
        /// Passive buzzer on the kernel's sysfs PWM: `/sys/class/pwm/pwmchip<chip>/pwm<channel>`.
        case pwm(chip: Int, channel: Int)
    }

    public var drive: Drive
    /// Passive only: hertz, 20…20000, where a pattern names none.
    public var frequencyHertz = 2700
    /// Passive only: 0…1 (duty cycle up to one half).
    public var volume: Double = 1

    public init(drive: Drive) { self.drive = drive }
}

public struct RelaySettings: Hashable, Sendable {
    public var line: LineSettings
    /// Length of a pulse. 10 ms … `maxPulse`.
    public var pulse: Duration = .milliseconds(500)
    /// No pulse, asked for by anyone, is longer.
    public var maxPulse: Duration = .seconds(10)

    public init(line: LineSettings) { self.line = line }
}

public struct ButtonSettings: Hashable, Sendable {
    public enum Bias: String, CaseIterable, Hashable, Sendable {
        case pullUp, pullDown, none
    }

    /// Buttons are wired to ground unless said otherwise: active low.
    public var line: LineSettings
    public var bias: Bias = .pullUp
    /// 0…200 ms.
    public var debounce: Duration = .milliseconds(10)

    public init(line: LineSettings) { self.line = line }
}
