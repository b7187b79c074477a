import Settings

extension StationSchema {
    private static let lineDoc = "The line, by its name or as CHIP:OFFSET."
    private static let activeLowDoc = "Active at the low level, such as an LED to 3.3 V."

    static let torch = Section<TorchSettings>([
        Key("line", \.line.line, .line, isRequired: true, lineDoc),
        Key("activeLow", \.line.activeLow, .bool, activeLowDoc),
        Key(
            "mode", \.mode, .word,
            "auto follows the scene's light; session lights while a session reads."
        ).whileRunning(),
        Key(
            "maxOnTime", \.maxOnTime, Codec.duration(.milliseconds(100)...(.seconds(86_400))).orAbsent("unlimited"),
            "The longest time on without a break, to protect the LED."),
        Key("coolDown", \.coolDown, .duration(.zero...(.seconds(3600))), "How long it stays off after that."),
        Key(
            "autoLux", \.autoLux, .number(0...100_000),
            "auto: on below this many lux, off above twice as many, if the camera measures lux."
        ).whileRunning(),
        Key(
            "autoLuma", \.autoLuma, .number(0...255),
            "auto: the same for other cameras, by the picture's mean brightness."
        ).whileRunning(),
    ])

    static let indicators = Section<IndicatorSettings>([
        Key("good", \.good, in: line, sample: LineSettings(line: "GPIO22"), "Lit on a good read."),
        Key("error", \.error, in: line, sample: LineSettings(line: "GPIO23"), "Lit on errors."),
        Key("ready", \.ready, in: line, sample: LineSettings(line: "GPIO24"), "Lit while the station can scan."),
    ])

    static let line = Section<LineSettings>(
        [
            Key("line", \.line, .line, isRequired: true, lineDoc),
            Key("activeLow", \.activeLow, .bool, activeLowDoc),
        ],
        short: { node, path, value, findings in
            guard node.scalar != nil else { return false }
            findings.note("\(path).line", item: node)
            if let line = Codec.line.read(node, path, &findings) { value.line = line }
            return true
        })

    static let buzzer = Section<BuzzerSettings>([
        Key("line", \.lineName, .line, sample: "GPIO18", "An active buzzer, which sounds by itself. " + lineDoc),
        Key("activeLow", \.activeLow, .bool, activeLowDoc),
        Key(
            "pwm", \.pwm, .pwm, sample: PWMChannel(chip: 0, channel: 0),
            "A passive buzzer on /sys/class/pwm/pwmchip<chip>/pwm<channel>; needs the pwm overlay."),
        Key(
            "frequencyHertz", \.frequencyHertz, .whole(20...20_000),
            "Passive: the pitch for feedback patterns that name none."),
        Key("volume", \.volume, .number(0...1), "Passive: loudness, set by the pulses' width."),
    ])

    static let relay = Section<RelaySettings>([
        Key("line", \.line.line, .line, isRequired: true, lineDoc),
        Key("activeLow", \.line.activeLow, .bool, "On for relay modules that switch on the low level."),
        Key("pulse", \.pulse, .duration(RelaySettings.pulses), "How long a pulse is; at most maxPulse."),
        Key("maxPulse", \.maxPulse, .duration(RelaySettings.pulses), "The longest pulse, whoever asks."),
    ])

    /// A button between the line and ground.
    static func button(_ line: String) -> ButtonSettings {
        ButtonSettings(line: LineSettings(line: line, activeLow: true))
    }

    static let button = Section<ButtonSettings>([
        Key("line", \.line.line, .line, isRequired: true, lineDoc),
        Key("activeLow", \.line.activeLow, .bool, "Low when pressed: a button to ground. Off for a button to 3.3 V."),
        Key("bias", \.bias, .word, "The pin's own resistor, about 50 kOhm."),
        Key(
            "debounce", \.debounce, .duration(.zero...(.milliseconds(200))),
            "A level counts once it has been steady for this long."),
    ])

    static let feedback = Section<FeedbackSettings>([
        Key(
            "patterns", \.patterns, in: patterns,
            """
            Patterns that replace the built-in ones. A step is a light (none, good, error), a time and perhaps "tone" with \
            hertz for passive buzzers; [] is silence. At most 32 steps and 10 s.
            """)
    ])

    private static let patterns = Section<[FeedbackCue: FeedbackPattern]>(
        FeedbackCue.allCases.map { cue in
            Key(cue.rawValue, \.[cue], .pattern, sample: .builtIn(for: cue), cueDoc(cue))
        })

    private static func cueDoc(_ cue: FeedbackCue) -> String {
        switch cue {
        case .ready: "The station can scan; played once, at its start."
        case .read: "A code was decoded."
        case .kept: "The scan is kept."
        case .accepted: "The host accepted it."
        case .refused: "The host refused it."
        case .noRead: "A session ended without a scan."
        case .cannotKeep: "The scan can't be kept."
        case .error: "Something is wrong."
        case .awaitingConfirmation: "A scan waits for its confirmation."
        case .identify: "Somebody at the console asks which station this is."
        case .aim: "One tick of the buzzer that follows the sharpness while somebody aims (`ctl aim`)."
        case .showCode: "The button was held for the first password: show the phone's screen now."
        case .pressAgain: "The phone's code was read: press the button once more."
        case .passwordOpen: "That phone may set the first password."
        }
    }
}
