import Linux

/// Does each serial output's port exist, may we open it, and is it free of the kernel's console and a login prompt?
struct SerialPortCheck: DoctorCheck {
    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        for output in context.settings.outputs {
            guard case .serial(let serial) = output.kind else { continue }
            findings += check(serial.device, of: output.name, in: context)
        }
        return findings.isEmpty ? [DoctorFinding(.ok, "serial", "no serial output is configured")] : findings
    }

    private func check(_ device: String, of output: String, in context: DoctorContext) -> [DoctorFinding] {
        let subject = "serial"
        if let console = console(on: device, in: context) {
            return [
                DoctorFinding(
                    .fail, subject, "\(device) (output \"\(output)\") is in use as \(console)",
                    remedy:
                        "sudo raspi-config: Interface Options, Serial Port, login shell: no, hardware: yes; then reboot"
                )
            ]
        }
        switch DeviceNode(path: context.root + device).access {
        case .usable: return [DoctorFinding(.ok, subject, "\(device) (output \"\(output)\") is accessible")]
        case .missing:
            return [
                DoctorFinding(
                    .fail, subject, "\(device) (output \"\(output)\") doesn't exist",
                    remedy: "plug the adapter in, or enable the UART (`enable_uart=1` in /boot/firmware/config.txt); "
                        + "the station opens it when it appears")
            ]
        case .denied(let group):
            return [
                DoctorFinding(
                    .fail, subject, "\(device) (output \"\(output)\"): permission denied",
                    remedy: context.user.remedy(joining: group))
            ]
        case .failed(let text): return [DoctorFinding(.fail, subject, "\(device) (output \"\(output)\"): \(text)")]
        }
    }

    /// What the kernel or a login prompt uses the port for.
    private func console(on device: String, in context: DoctorContext) -> String? {
        let name = device.split(separator: "/").last.map(String.init) ?? device
        var names: Set<String> = [name]
        if name == "serial0" || name == "serial1" { names.formUnion(["ttyAMA0", "ttyS0", "ttyAMA10"]) }
        if name == "ttyAMA0" || name == "ttyS0" { names.insert("serial0") }
        for word in (Files.text(of: context.root + "/proc/cmdline") ?? "").split(whereSeparator: \.isWhitespace)
        where word.hasPrefix("console=") {
            let console = word.dropFirst("console=".count).split(separator: ",").first.map(String.init) ?? ""
            if names.contains(console) { return "the kernel's console (console=\(console) on the kernel command line)" }
        }
        for name in names.sorted() {
            let unit = "/run/systemd/generator/getty.target.wants/serial-getty@\(name).service"
            if case .usable = DeviceNode(path: context.root + unit).access {
                return "a login prompt (serial-getty@\(name))"
            }
        }
        return nil
    }
}
