import Glibc
import Settings

/// Files that outputs and the host's answer need: certificates, keys, passwords, the allow-list, the keyboard's device.
struct OutputFilesCheck: DoctorCheck {
    private static let subject = "outputs"

    private struct File {
        var path: String
        /// Its place in the configuration.
        var key: String
        var isSecret = false
    }

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        var findings = Self.files(of: context.settings).compactMap { check($0, in: context) }
        for (index, output) in context.settings.outputs.enumerated() {
            guard case .keyboard(let keyboard) = output.kind else { continue }
            if let finding = check(keyboard, "outputs[\(index)].keyboard.device", in: context) {
                findings.append(finding)
            }
        }
        let count = context.settings.outputs.count
        return findings.isEmpty
            ? [DoctorFinding(.ok, Self.subject, "\(count) configured; the files that they need are there")] : findings
    }

    private static func files(of settings: StationSettings) -> [File] {
        var files: [File] = []
        func add(_ path: String?, _ key: String, isSecret: Bool = false) {
            if let path { files.append(File(path: path, key: key, isSecret: isSecret)) }
        }
        for (index, output) in settings.outputs.enumerated() {
            let place = "outputs[\(index)]"
            switch output.kind {
            case .mqtt(let mqtt):
                add(mqtt.passwordFile, "\(place).mqtt.passwordFile", isSecret: true)
                add(mqtt.tls?.ca, "\(place).mqtt.tls.ca")
                add(mqtt.tls?.certificate, "\(place).mqtt.tls.certificate")
                add(mqtt.tls?.key, "\(place).mqtt.tls.key", isSecret: true)
            case .webhook(let webhook):
                add(webhook.tokenFile, "\(place).webhook.tokenFile", isSecret: true)
                add(webhook.hmacKeyFile, "\(place).webhook.hmacKeyFile", isSecret: true)
                add(webhook.tls?.ca, "\(place).webhook.tls.ca")
                add(webhook.tls?.certificate, "\(place).webhook.tls.certificate")
                add(webhook.tls?.key, "\(place).webhook.tls.key", isSecret: true)
            case .serial, .unixSocket, .standardOutput, .tcp, .keyboard, .file: break
            }
        }
        add(settings.host.allowList, "host.allowList")
        return files
    }

    private func check(_ file: File, in context: DoctorContext) -> DoctorFinding? {
        let path = context.root + file.path
        guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
            switch errno {
            case ENOENT, ENOTDIR:
                return DoctorFinding(
                    .fail, Self.subject, "\(file.key): no such file \(file.path)",
                    remedy: "make it, or correct the path; the station looks again by itself")
            case EACCES, EPERM:
                return DoctorFinding(
                    .fail, Self.subject, "\(file.key): \(context.user.name) may not read \(file.path)",
                    remedy:
                        "let the station's user read it: sudo chgrp scanstation \(file.path) && sudo chmod g+r \(file.path)"
                )
            default:
                return DoctorFinding(
                    .fail, Self.subject, "\(file.key): \(file.path): \(String(cString: strerror(errno)))")
            }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT != S_IFREG {
            return DoctorFinding(.fail, Self.subject, "\(file.key): \(file.path) is not a file", remedy: "name a file")
        }
        guard file.isSecret, status.st_mode & S_IROTH != 0 else { return nil }
        return DoctorFinding(
            .warn, Self.subject, "\(file.key): everybody on this machine can read \(file.path)",
            remedy: "sudo chmod o= \(file.path)")
    }

    private func check(_ keyboard: KeyboardSettings, _ key: String, in context: DoctorContext) -> DoctorFinding? {
        let device = keyboard.device
        switch DeviceNode(path: context.root + device).access {
        case .usable: return nil
        case .missing:
            return DoctorFinding(
                .fail, Self.subject, "\(key): there is no \(device)",
                remedy:
                    "sudo hid-gadget setup (in the sources: deploy/hid-gadget), on a Pi whose USB port can be a device (Zero, 4, 5)"
            )
        case .denied(let group):
            return DoctorFinding(
                .fail, Self.subject, "\(key): no permission to use \(device)",
                remedy: context.user.remedy(joining: group))
        case .failed(let text): return DoctorFinding(.fail, Self.subject, "\(key): \(device): \(text)")
        }
    }
}
