import Glibc
import Linux

/// If the station is installed as a systemd service: would it start, now and with the machine?
struct ServiceCheck: DoctorCheck {
    static let unit = "scanstation.service"
    private static let folders = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        let units = Self.folders.compactMap { Files.text(of: "\(context.root)\($0)/\(Self.unit)") }
        guard let unit = units.first, Self.exists(context.root + "/run/systemd/system") else { return [] }
        var findings: [DoctorFinding] = []
        if let user = Self.values("User", in: unit).first, !Self.has(user, in: context.root + "/etc/passwd") {
            findings.append(
                DoctorFinding(
                    .fail, "service", "its user \"\(user)\" doesn't exist: it can't start",
                    remedy: "install the package again, or: sudo useradd --system --user-group \(user)"))
        }
        for group in Self.values("SupplementaryGroups", in: unit)
        where !Self.has(group, in: context.root + "/etc/group") {
            findings.append(
                DoctorFinding(
                    .fail, "service", "its group \"\(group)\" doesn't exist: it can't start",
                    remedy: "sudo groupadd --system \(group)"))
        }
        if let program = Self.values("ExecStart", in: unit).first, !Self.exists(context.root + program) {
            findings.append(
                DoctorFinding(
                    .fail, "service", "its program \(program) doesn't exist: it can't start",
                    remedy: "install the package again"))
        }
        guard findings.isEmpty else { return findings }
        guard Self.exists(context.root + "/etc/systemd/system/multi-user.target.wants/\(Self.unit)") else {
            return [
                DoctorFinding(
                    .warn, "service", "it is installed but doesn't start with the machine",
                    remedy: "sudo systemctl enable --now scanstation")
            ]
        }
        return [DoctorFinding(.ok, "service", "it starts with the machine")]
    }

    /// The words in all lines `name=…`.
    private static func values(_ name: String, in unit: String) -> [String] {
        unit.split(separator: "\n").filter { $0.hasPrefix("\(name)=") }
            .flatMap { $0.dropFirst(name.count + 1).split(separator: " ").map(String.init) }
    }

    /// An entry of passwd(5) or group(5). A file that can't be read proves nothing.
    private static func has(_ name: String, in file: String) -> Bool {
        guard let text = Files.text(of: file) else { return true }
        return text.split(separator: "\n").contains { $0.hasPrefix("\(name):") }
    }

    /// A link that leads nowhere counts as existing, too: within a test's root it leads nowhere.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
