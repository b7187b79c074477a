import Glibc
import Linux
import Vocabulary

/// Is the PWM of a passive buzzer there, and may this user set it?
struct PWMCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        // A running station says itself whether it has its lines.
        guard context.station == nil, case .pwm(let chip, let channel)? = context.settings.buzzer?.drive else {
            return []
        }
        return [check(chip: chip, channel: channel, in: context)]
    }

    private func check(chip: Int, channel: Int, in context: DoctorContext) -> DoctorFinding {
        let name = "pwmchip\(chip)/pwm\(channel)"
        let folder = "/sys/class/pwm/pwmchip\(chip)"
        guard access(context.root + folder, F_OK) == 0 else {
            let others = Files.names(in: context.root + "/sys/class/pwm").joined(separator: ", ")
            return DoctorFinding(
                .fail, "buzzer", "there is no \(folder); the PWM chips are: \(others.isEmpty ? "none" : others)",
                remedy: "add `dtoverlay=pwm` to /boot/firmware/config.txt and reboot, or set buzzer.pwm")
        }
        let count = Files.firstLine(of: context.root + folder + "/npwm").flatMap { Int($0) }
        if let count, channel >= count {
            return DoctorFinding(
                .fail, "buzzer", "\(name): the chip has \(count.counted("channel")), counted from 0",
                remedy: "set the channel of buzzer.pwm to one of them")
        }
        let own = "\(folder)/pwm\(channel)"
        let files =
            access(context.root + own, F_OK) == 0
            ? ["period", "duty_cycle", "enable"].map { "\(own)/\($0)" } : ["\(folder)/export"]
        for file in files where faccessat(AT_FDCWD, context.root + file, W_OK, AT_EACCESS) != 0 {
            return DoctorFinding(
                .fail, "buzzer", "\(file): \(SystemError().text)",
                remedy:
                    "let the group gpio write there (the package's udev rules, 60-scanstation.rules, do this), and join that group"
            )
        }
        return DoctorFinding(.ok, "buzzer", "\(name) is there and can be set")
    }
}
