import Linux

/// Is the user in the groups that own cameras, GPIO chips and serial ports?
struct GroupsCheck: DoctorCheck {
    static let groups = ["video", "gpio", "dialout"]

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        if context.user.isRoot { return [DoctorFinding(.ok, "groups", "running as root")] }
        let known = Set(
            (Files.text(of: context.root + "/etc/group") ?? "").split(separator: "\n").compactMap {
                $0.split(separator: ":").first.map(String.init)
            })
        let missing = Self.groups.filter { known.contains($0) && !context.user.groups.contains($0) }
        guard missing.isEmpty else {
            return [
                DoctorFinding(
                    .warn, "groups", "\(context.user.name) is not in: \(missing.joined(separator: ", "))",
                    remedy: "sudo usermod -aG \(missing.joined(separator: ",")) \(context.user.name), then log in again"
                )
            ]
        }
        return [
            DoctorFinding(
                .ok, "groups",
                "\(context.user.name) is in \(Self.groups.filter(known.contains).joined(separator: ", "))")
        ]
    }
}
