import Settings
import TestSupport
import Vocabulary

@testable import StationConfiguration

/// Settings as wild as the rules allow, for properties that hold for all of them.
struct RandomSettings {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func make() -> StationSettings {
        var settings = StationSettings()
        settings.name = maybe { $0.text() }
        settings.capture = capture()
        settings.torch = maybe { $0.torch() }
        settings.indicators.good = maybe { $0.line(22) }
        settings.indicators.error = maybe { $0.line(23) }
        settings.indicators.ready = maybe { $0.line(24) }
        settings.buzzer = maybe { $0.buzzer() }
        settings.relay = maybe { $0.relay() }
        settings.trigger = trigger()
        settings.confirmation.policy = one(of: ConfirmationSettings.Policy.allCases)
        settings.confirmation.button = maybe { $0.button(5) }
        settings.confirmation.acceptsCommand = settings.confirmation.button == nil || Bool.random(using: &random)
        settings.confirmation.timeout = duration(100...3_600_000)
        settings.reading = reading()
        for cue in FeedbackCue.allCases where Bool.random(using: &random) {
            settings.feedback.patterns[cue] = pattern()
        }
        settings.payloads.schemes = (0..<Int.random(in: 0...3, using: &random)).map { "a\($0)+b.c-d" }
        settings.payloads.revealSecrets = Bool.random(using: &random)
        settings.outputs = (0..<Int.random(in: 0...5, using: &random)).map { output($0) }
        settings.control.socket = maybe { _ in "/run/control socket" }
        settings.control.mode = UInt32.random(in: 0...0o777, using: &random)
        settings.control.group = maybe { $0.text() }
        settings.control.maxLineBytes = Int.random(in: 256...(16 << 20), using: &random)
        settings.control.secrets = one(of: SecretPolicy.allCases)
        settings.console.isEnabled = Bool.random(using: &random)
        settings.console.socket = maybe { _ in "/run/console socket" }
        settings.console.user = text()
        settings.console.door = Bool.random(using: &random)
        settings.console.address = one(of: [.automatic, .local, .network, .literal("192.168.1.7"), .literal("::1")])
        settings.console.port = int(1...65_535)
        settings.console.names = (0..<int(0...3)).map { "scanner\($0).example" }
        settings.log.level = one(of: LogSettings.Level.allCases)
        return settings
    }

    private mutating func rpicam() -> RpicamSettings {
        let program = maybe { $0.text() }
        return RpicamSettings(program: program, arguments: (0..<int(0...3)).map { _ in text() })
    }

    private mutating func capture() -> CaptureSettings {
        var capture = CaptureSettings()
        capture.source = one(of: [.automatic, .libcamera, .rpicam(rpicam()), .replay(replay())])
        capture.camera = maybe { $0.text() }
        capture.preset = one(of: CaptureSettings.Preset.allCases)
        capture.resolution = maybe { FrameSize(width: $0.int(16...16_384), height: $0.int(16...16_384)) }
        capture.frameRate = maybe { $0.number(0.1...240) }
        capture.idle = one(of: CaptureSettings.Idle.allCases)
        capture.idleFrameRate = number(0.1...30)
        capture.sensorMode = maybe {
            SensorMode(size: FrameSize(width: $0.int(16...16_384), height: 16), bitDepth: $0.maybe { $0.int(8...16) })
        }
        capture.orientation = Orientation(
            rotation: one(of: Orientation.Rotation.allCases), isMirrored: Bool.random(using: &random))
        let (x, y) = (number(0...0.9), number(0...0.9))
        let rect = Rect(x: x, y: y, width: number(0.01...(1 - x)), height: number(0.01...(1 - y)))
        capture.viewport = Viewport(rect: one(of: [.unit, rect]), rule: one(of: Viewport.Rule.allCases))
        capture.viewportMargin = number(0...0.5)
        capture.exposure.time = maybe { $0.duration(1...60_000) }
        capture.exposure.maxTime = .nanoseconds(Int64.random(in: 1000...60_000_000_000, using: &random))
        capture.exposure.gain = maybe { Float($0.number(1...64)) }
        capture.exposure.metering = one(of: ExposureSettings.Metering.allCases)
        capture.exposure.flicker = one(of: ExposureSettings.Flicker.allCases)
        capture.focus.mode = one(of: FocusSettings.Mode.allCases)
        capture.focus.lensPosition = maybe { Float($0.number(0...32)) }
        capture.zoom = number(1...64)
        capture.sharpness = maybe { Float($0.number(0...16)) }
        capture.noiseReduction = one(of: NoiseReduction.allCases)
        capture.retryFirst = duration(10...15_000)
        capture.memoryBudgetBytes = maybe { $0.int((8 << 20)...(64 << 30)) }
        return capture
    }

    private mutating func replay() -> ReplaySettings {
        var replay = ReplaySettings(paths: (0..<int(0...3)).map { _ in text() })
        replay.framesPerPicture = int(1...1000)
        replay.loops = Bool.random(using: &random)
        replay.isUnpaced = Bool.random(using: &random)
        if Bool.random(using: &random) {
            replay.movement = .simulated(
                pan: number(0...1), zoom: number(0...1), blur: number(0...1), noise: number(0...1),
                exposure: number(0...1), seed: random.next())
        }
        return replay
    }

    private mutating func torch() -> TorchSettings {
        var torch = TorchSettings(line: line(17))
        torch.mode = one(of: TorchMode.allCases)
        torch.maxOnTime = maybe { $0.duration(100...86_400_000) }
        torch.coolDown = duration(0...3_600_000)
        torch.autoLux = Float(number(0...100_000))
        return torch
    }

    private mutating func buzzer() -> BuzzerSettings {
        let drive: BuzzerSettings.Drive = one(of: [.line(line(18)), .pwm(chip: int(0...255), channel: int(0...255))])
        var buzzer = BuzzerSettings(drive: drive)
        buzzer.frequencyHertz = int(20...20_000)
        buzzer.volume = number(0...1)
        return buzzer
    }

    private mutating func relay() -> RelaySettings {
        var relay = RelaySettings(line: line(26))
        relay.maxPulse = duration(10...60_000)
        relay.pulse = .milliseconds(10)
        return relay
    }

    private mutating func button(_ number: Int) -> ButtonSettings {
        var button = ButtonSettings(line: line(number))
        button.bias = one(of: ButtonSettings.Bias.allCases)
        button.debounce = duration(0...200)
        return button
    }

    private mutating func trigger() -> TriggerSettings {
        var trigger = TriggerSettings()
        trigger.mode = one(of: TriggerMode.allCases)
        trigger.button = maybe { $0.button(27) }
        trigger.timeout = duration(100...3_600_000)
        trigger.repeatInterval = maybe { $0.duration(10...3_600_000) }
        trigger.gap = duration(0...3_600_000)
        trigger.maxScans = int(1...64)
        trigger.pulseCancels = Bool.random(using: &random)
        return trigger
    }

    private mutating func reading() -> ReadingSettings {
        var reading = ReadingSettings()
        reading.symbologies = [:]
        for symbology in Symbology.allCases where Bool.random(using: &random) {
            let shortest = int(1...8000)
            let wild = SymbologySettings(
                minLength: shortest, maxLength: int(shortest...8000),
                checkDigit: one(of: CheckDigitRule.allCases), inverse: Bool.random(using: &random),
                agreement: int(1...5), addOns: Bool.random(using: &random),
                fullASCII: Bool.random(using: &random), code32: Bool.random(using: &random))
            reading.symbologies[symbology] = one(of: [.standard(for: symbology), wild])
        }
        if reading.symbologies.isEmpty { reading.symbologies[.qrCode] = .standard(for: .qrCode) }
        reading.workers = int(1...4)
        reading.crashFolder = maybe { $0.text() }
        reading.changeGate = Bool.random(using: &random)
        reading.effort = one(of: ReadingSettings.Effort.allCases)
        return reading
    }

    private mutating func pattern() -> FeedbackPattern {
        FeedbackPattern(
            (0..<int(0...32)).map { _ in
                FeedbackPattern.Step(
                    light: one(of: FeedbackPattern.Step.Light.allCases), toneHertz: one(of: [0, 1, int(20...20_000)]),
                    duration: duration(10...300))
            })
    }

    private mutating func output(_ index: Int) -> OutputSettings {
        var serial = SerialSettings(device: "/dev/tty\(index)")
        serial.baud = one(of: StationSchema.bauds)
        serial.parity = one(of: SerialSettings.Parity.allCases)
        serial.format.template = one(of: ["{text}\r\n\u{1D}", "<STX>{{{json}<ETX>", "ü: #{aim}\\x0D<LF>", "<<'\"{id},"])
        serial.acknowledgement = one(of: SerialSettings.Acknowledgement.allCases)
        var unix = UnixSocketSettings(path: "/run/\(index) ü.sock")
        unix.mode = UInt32.random(in: 0...0o777, using: &random)
        var kinds: [OutputSettings.Kind] = [.serial(serial), .unixSocket(unix)]
        if index == 0 { kinds.append(.standardOutput(StandardOutputSettings())) }
        kinds += networkOutputs(index)
        var output = OutputSettings(name: one(of: ["null \(index)", "~\(index)", "\(index)"]), kind: one(of: kinds))
        output.queue = int(1...1_000_000)
        output.required = maybe { Bool.random(using: &$0.random) }
        output.delivery = maybe { $0.one(of: DeliveryMode.allCases) }
        output.maxAge = duration(100...10_000)
        output.secrets = one(of: SecretPolicy.allCases)
        return output
    }

    private mutating func networkOutputs(_ index: Int) -> [OutputSettings.Kind] {
        var tls = TLSSettings()
        tls.ca = maybe { $0.text() }
        tls.verify = Bool.random(using: &random)
        var tcp = TCPSettings(port: int(1...65_535))
        tcp.role = one(of: TCPSettings.Role.allCases)
        tcp.host = text()
        tcp.lines = one(of: LineFormat.allCases)
        for source in ["{text}", "<<#: '\"{id},"] { tcp.format.templates[one(of: Symbology.allCases)] = source }
        var mqtt = MQTTSettings(host: text())
        mqtt.port = maybe { $0.int(1...65_535) }
        mqtt.tls = maybe { _ in tls }
        mqtt.topic = "\(index)/" + text()
        var webhook = WebhookSettings(url: "https://" + text())
        webhook.headers["X-\(index)"] = ""
        webhook.headers[text()] = text()
        webhook.tls = maybe { _ in tls }
        webhook.batch = int(1...1000)
        var keyboard = KeyboardSettings()
        keyboard.device = "/dev/hidg\(index)"
        keyboard.layout = one(of: KeyboardSettings.Layout.allCases)
        keyboard.allowControls = maybe { _ in ["TAB", "CR"] } ?? []
        var file = FileSettings(path: "/var/\(index) ü")
        file.rotateBytes = int(4096...(1 << 30))
        file.sync = Bool.random(using: &random)
        return [.tcp(tcp), .mqtt(mqtt), .webhook(webhook), .keyboard(keyboard), .file(file)]
    }

    private mutating func line(_ number: Int) -> LineSettings {
        let name = one(of: ["GPIO\(number)", "pinctrl-rp1:\(number)", "#\(number)", "{\(number)}"])
        return LineSettings(line: name, activeLow: Bool.random(using: &random))
    }

    /// Printable text of 1 to 60 bytes, with all that YAML could trip over.
    private mutating func text() -> String {
        let pieces = [
            "a", "Köln", "😀", ": ", " #", "'", "\"", "\\", "{", "]", "null", "~", "- ", "*", "&", "%", "@", "`", "!",
            "|", ">",
            "?", ",", "on", "0x1", "\u{2028}", "\u{200D}", "\u{301}", "0660", "=", "<<",
        ]
        let count = int(1...8)
        return (0..<count).map { _ in one(of: pieces) }.joined()
    }

    private mutating func maybe<T>(_ make: (inout RandomSettings) -> T) -> T? {
        Bool.random(using: &random) ? make(&self) : nil
    }

    private mutating func one<T>(of values: [T]) -> T { values[Int.random(in: values.indices, using: &random)] }
    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    private mutating func duration(_ milliseconds: ClosedRange<Int>) -> Duration { .milliseconds(int(milliseconds)) }
}
