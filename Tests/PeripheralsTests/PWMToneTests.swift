import Glibc
import Settings
import Synchronization
import TestSupport
import Testing

@testable import Peripherals

/// A PWM chip with the kernel's rules: nothing may be set while the period is zero, and no duty is longer than the period.
private final class FakePWM: AttributeFiles {
    struct State: Sendable {
        var isExported = false
        var period = 0
        var duty = 0
        var isEnabled = false
        var writes: [String] = []
        var failure: Int32?
    }

    let state = Mutex(State())
    private let root = "/sys/class/pwm/pwmchip2"

    func exists(_ path: String) -> Bool {
        path == root || (path == "\(root)/pwm1" && state.withLock { $0.isExported })
    }

    func write(_ text: String, to path: String) throws(GPIOFailure) {
        let errno: Int32? = state.withLock { state in
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            if let failure = state.failure, name != "export" { return failure }
            let value = Int(text) ?? -1
            switch (path, value) {
            case ("\(root)/export", 1) where !state.isExported: state.isExported = true
            case ("\(root)/unexport", 1) where state.isExported: state.isExported = false
            case ("\(root)/pwm1/period", 1...) where value >= state.duty: state.period = value
            case ("\(root)/pwm1/duty_cycle", 0...state.period) where state.period > 0: state.duty = value
            case ("\(root)/pwm1/enable", 0...1) where state.period > 0: state.isEnabled = value == 1
            default: return EINVAL
            }
            state.writes.append("\(name) \(text)")
            return nil
        }
        if let errno { throw GPIOFailure(errno: errno) }
    }

    func read(_ path: String) throws(GPIOFailure) -> String {
        let state = state.withLock { $0 }
        switch path {
        case "\(root)/pwm1/period": return "\(state.period)"
        case "\(root)/pwm1/duty_cycle": return "\(state.duty)"
        case "\(root)/pwm1/enable": return state.isEnabled ? "1" : "0"
        default: throw GPIOFailure(errno: ENOENT)
        }
    }
}

@Suite struct PWMToneTests {
    private let pwm = FakePWM()

    private func tone(chip: Int = 2, channel: Int = 1, volume: Double = 1) throws -> PWMTone {
        try PWMTone(
            directory: "/sys/class/pwm", chip: chip, channel: channel, frequencyHertz: 2700, volume: volume, files: pwm)
    }

    @Test func aFreshChannelIsExportedAndSilent() throws {
        let tone = try tone()
        let state = pwm.state.withLock { $0 }
        #expect(state.isExported)
        #expect(!state.isEnabled)
        #expect(state.duty == 0)
        #expect(try !tone.read())
        tone.close()
    }

    @Test func soundsAtItsOwnPitchOrTheOneAskedForInAnyOrder() throws {
        let tone = try tone()
        for (hertz, period) in [(1, 370_370), (500, 2_000_000), (10_000, 100_000), (20, 50_000_000)] {
            try tone.sound(hertz: hertz)
            let state = pwm.state.withLock { $0 }
            #expect(state.period == period)
            #expect(state.duty == period / 2)
            #expect(state.isEnabled)
            #expect(try tone.read())
        }
        try tone.sound(hertz: 0)
        #expect(pwm.state.withLock { !$0.isEnabled && $0.duty == 0 })
    }

    @Test func volumeIsTheDutyCycle() throws {
        let tone = try tone(volume: 0.1)
        try tone.sound(hertz: 1000)
        #expect(pwm.state.withLock { $0.duty } == 50_000)
    }

    @Test func whatWeExportedIsTakenBackSilent() throws {
        let tone = try tone()
        try tone.sound(hertz: 1)
        tone.close()
        let state = pwm.state.withLock { $0 }
        #expect(!state.isExported)
        #expect(state.writes.suffix(3) == ["duty_cycle 0", "enable 0", "unexport 1"])
    }

    @Test func aSecondCloseTouchesNothing() throws {
        let tone = try tone()
        tone.close()
        // Somebody else has it by now.
        pwm.state.withLock {
            $0.isExported = true
            $0.isEnabled = true
        }
        tone.close()
        #expect(pwm.state.withLock { $0.isExported && $0.isEnabled })
    }

    @Test func aChannelThatWasExportedBeforeStaysSo() throws {
        pwm.state.withLock { $0.isExported = true }
        try tone().close()
        #expect(pwm.state.withLock { $0.isExported })
    }

    @Test func aChannelThatUdevHasNotOpenedYetIsHadAtTheNextAttempt() throws {
        pwm.state.withLock { $0.failure = EACCES }
        let error = #expect(throws: LineError.self) { try tone() }
        #expect(error?.kind == .permissionDenied)
        pwm.state.withLock { $0.failure = nil }
        #expect(pwm.state.withLock { $0.isExported })
        try tone().sound(hertz: 1)
    }

    @Test func aChipThatIsNotThereSaysWhatToAdd() {
        let error = #expect(throws: LineError.self) { try tone(chip: 0) }
        #expect(error?.kind == .notFound)
        #expect(error?.message.contains("dtoverlay=pwm") == true)
    }

    @Test func aChannelThatSomebodyElseUsesSaysSo() throws {
        let tone = try tone()
        pwm.state.withLock { $0.failure = EBUSY }
        let error = #expect(throws: LineError.self) { try tone.sound(hertz: 1) }
        #expect(error?.kind == .taken(by: nil))
        #expect(error?.message.contains("buzzer.pwm") == true)
    }

    @Test func realFilesAreWrittenAndRead() throws {
        let folder = TemporaryFolder()
        let directory = folder.path
        let channel = "\(directory)/pwmchip0/pwm1"
        mkdir("\(directory)/pwmchip0", 0o700)
        mkdir(channel, 0o700)
        for name in ["period", "duty_cycle", "enable"] {
            close(open("\(channel)/\(name)", O_CREAT | O_WRONLY, 0o600))
        }
        let settings = BuzzerSettings(drive: .pwm(chip: 0, channel: 1))
        let tone = try GPIOChips(library: FakeGPIO(), pwmDirectory: directory).openTone(settings)
        try tone.sound(hertz: 1000)
        #expect(try SysfsFiles().read("\(channel)/period").hasPrefix("1000000"))
        #expect(try tone.read())
        #expect(throws: GPIOFailure(errno: ENOENT)) { try SysfsFiles().read("\(channel)/polarity") }
    }
}
