import Settings
import Vocabulary

// The file's view of settings that have another shape in Swift: an enumeration with values there is a word and a section here.

extension CaptureSettings {
    enum SourceKind: String, CaseIterable, Hashable, Sendable {
        case automatic, libcamera, rpicam, replay
    }

    var sourceKind: SourceKind {
        get {
            switch source {
            case .automatic: .automatic
            case .libcamera: .libcamera
            case .rpicam: .rpicam
            case .replay: .replay
            }
        }
        set {
            switch newValue {
            case .automatic: source = .automatic
            case .libcamera: source = .libcamera
            case .rpicam: source = .rpicam(rpicam ?? RpicamSettings())
            case .replay: source = .replay(replay ?? ReplaySettings())
            }
        }
    }

    /// Kept only with `source: rpicam`, as `replay` is with `source: replay`.
    var rpicam: RpicamSettings? {
        get {
            guard case .rpicam(let settings) = source else { return nil }
            return settings
        }
        set {
            guard case .rpicam = source, let newValue else { return }
            source = .rpicam(newValue)
        }
    }

    /// Kept only with `source: replay`, which is read before it; a check warns otherwise.
    var replay: ReplaySettings? {
        get {
            guard case .replay(let settings) = source else { return nil }
            return settings
        }
        set {
            guard case .replay = source, let newValue else { return }
            source = .replay(newValue)
        }
    }
}

extension Orientation {
    var degrees: Int {
        get { rotation.rawValue }
        set { rotation = Rotation(rawValue: newValue) ?? rotation }
    }
}

/// A channel of the kernel's sysfs PWM.
struct PWMChannel: Hashable, Sendable {
    var chip: Int
    var channel: Int
}

extension BuzzerSettings {
    var lineName: String? {
        get {
            guard case .line(let line) = drive else { return nil }
            return line.line
        }
        set { drive = .line(LineSettings(line: newValue ?? "", activeLow: activeLow)) }
    }

    var activeLow: Bool {
        get {
            guard case .line(let line) = drive else { return false }
            return line.activeLow
        }
        set {
            guard case .line(let line) = drive else { return }
            drive = .line(LineSettings(line: line.line, activeLow: newValue))
        }
    }

    var pwm: PWMChannel? {
        get {
            guard case .pwm(let chip, let channel) = drive else { return nil }
            return PWMChannel(chip: chip, channel: channel)
        }
        set {
            guard let newValue else { return }
            drive = .pwm(chip: newValue.chip, channel: newValue.channel)
        }
    }
}
