import Glibc
import Settings
import Synchronization
import Vocabulary

/// A passive buzzer on the kernel's PWM, through sysfs: `<directory>/pwmchip<chip>/pwm<channel>/{period,duty_cycle,enable}`, in
/// nanoseconds.
///
/// The kernel refuses every setting of a channel whose period is still zero, and a period shorter than the duty cycle. So the period is set
/// first once, and later the duty cycle goes to zero before the pitch changes. Silence means duty cycle zero *and* disabled: a channel that
/// is only disabled may keep its pin high.
final class PWMTone: ToneOutput {
    private let channel: PWMChannel
    private let frequencyHertz: Int
    private let volume: Double
    /// We exported the channel, so we unexport it.
    private let isExportedByUs: Bool
    private let isClosed = Mutex(false)

    /// - Parameters:
    ///   - directory: `/sys/class/pwm`.
    ///   - frequencyHertz: the buzzer's own pitch, 20…20000; other values are clamped.
    ///   - volume: 0…1; a duty cycle of one half is loudest.
    init(
        directory: String, chip: Int, channel number: Int, frequencyHertz: Int, volume: Double,
        files: any AttributeFiles = SysfsFiles()
    ) throws(LineError) {
        let channel = PWMChannel(directory: directory, chip: chip, number: number, files: files)
        let pitch = Self.clamp(frequencyHertz)
        // Until the last property is set, a failure leaves the channel exported: right after an export, udev hasn't let the group in yet,
        // and the next attempt finds that done.
        let isNew = try channel.export()
        if try channel.value(of: "period") == 0 { try channel.set("period", to: Self.period(pitch)) }
        try channel.silence()
        self.channel = channel
        self.frequencyHertz = pitch
        self.volume = min(max(volume, 0), 1)
        isExportedByUs = isNew
    }

    deinit { close() }

    func sound(hertz: Int) throws(LineError) {
        guard hertz != 0 else { return try channel.silence() }
        let period = Self.period(hertz == 1 ? frequencyHertz : Self.clamp(hertz))
        try channel.set("duty_cycle", to: 0)
        try channel.set("period", to: period)
        try channel.set("duty_cycle", to: Int(Double(period) * volume / 2))
        try channel.set("enable", to: 1)
    }

    func read() throws(LineError) -> Bool {
        let isEnabled = try channel.value(of: "enable") != 0
        let duty = try channel.value(of: "duty_cycle")
        return isEnabled && duty != 0
    }

    func close() {
        // Only once: afterwards the channel may be another program's.
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        try? channel.silence()
        if isExportedByUs { channel.unexport() }
    }

    private static func clamp(_ hertz: Int) -> Int {
        min(max(hertz, FeedbackPattern.pitches.lowerBound), FeedbackPattern.pitches.upperBound)
    }

    private static func period(_ hertz: Int) -> Int { 1_000_000_000 / hertz }
}

/// One channel's folder, and the errors about it.
private struct PWMChannel: Sendable {
    let directory: String
    let chip: Int
    let number: Int
    let files: any AttributeFiles

    private var name: String { "pwmchip\(chip)/pwm\(number)" }
    private var chipPath: String { "\(directory)/pwmchip\(chip)" }
    private var path: String { "\(chipPath)/pwm\(number)" }

    /// Makes the kernel show the channel. `false`: it did already.
    func export() throws(LineError) -> Bool {
        guard files.exists(chipPath) else {
            throw LineError(
                role: .buzzer, kind: .notFound,
                message:
                    "there is no PWM chip \(chip) (\(chipPath)): add `dtoverlay=pwm` to config.txt and reboot, or set "
                    + "buzzer.pwm to what `ls \(directory)` shows")
        }
        if files.exists(path) { return false }
        try write("\(number)", to: "\(chipPath)/export", doing: "exported")
        return true
    }

    /// Nothing more can be done if it fails.
    func unexport() { try? files.write("\(number)", to: "\(chipPath)/unexport") }

    func silence() throws(LineError) {
        try set("duty_cycle", to: 0)
        try set("enable", to: 0)
    }

    func set(_ attribute: String, to value: Int) throws(LineError) {
        try write("\(value)", to: "\(path)/\(attribute)", doing: "set")
    }

    func value(of attribute: String) throws(LineError) -> Int {
        let path = "\(path)/\(attribute)"
        do throws(GPIOFailure) {
            return Int(try files.read(path)) ?? 0
        } catch {
            throw failed("read", path: path, errno: error.errno)
        }
    }

    private func write(_ text: String, to path: String, doing what: String) throws(LineError) {
        do throws(GPIOFailure) {
            try files.write(text, to: path)
        } catch {
            throw failed(what, path: path, errno: error.errno)
        }
    }

    private func failed(_ what: String, path: String, errno: Int32) -> LineError {
        let key = "buzzer.pwm"
        let (kind, reason): (LineError.Kind, String) =
            switch errno {
            case EACCES, EPERM: (.permissionDenied, GPIOErrors.text(errno) + GPIOErrors.remedy(errno))
            case EBUSY: (.taken(by: nil), "somebody else uses it: free it or set \(key) to another channel")
            case ENODEV where what == "exported":
                (.notFound, "the chip has no such channel: set \(key) to one that it has")
            case ENOENT, ENODEV: (.vanished, "it is gone: is its overlay still loaded?")
            default: (.failed(errno: errno), GPIOErrors.text(errno))
            }
        return LineError(role: .buzzer, kind: kind, message: "\(name) can't be \(what) (\(path)): \(reason)")
    }
}
