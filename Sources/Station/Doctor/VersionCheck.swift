import Linux
import Wire

/// Which version is installed, which one runs, and why. Only for the package: what was installed by hand has one version.
struct VersionCheck: DoctorCheck {
    private static let subject = "version"
    private static let library = "/usr/lib/scanstation"

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        guard let installed = Files.firstLine(of: "\(context.root)\(Self.library)/VERSION") else { return [] }
        let halves = halfInstalled(in: context).map { [$0] } ?? []
        let before = Files.firstLine(of: "\(context.root)\(Self.library)/previous/VERSION")
        if let before, let coming = Files.firstLine(of: "\(context.root)\(Self.library)/unpacking") {
            return halves + [
                DoctorFinding(
                    .warn, Self.subject, "\(coming) is being installed: a station that starts now is \(before)",
                    remedy: "if no update is under way: sudo systemctl start scanstation-repair")
            ]
        }
        guard let before, before != installed else { return halves + [DoctorFinding(.ok, Self.subject, installed)] }
        let folder = context.root + VersionStanding.folder
        if Files.firstLine(of: "\(folder)/confirmed") == installed {
            return halves + [DoctorFinding(.ok, Self.subject, "\(installed); it has proved itself, \(before) is kept")]
        }
        let record =
            Files.firstLine(of: "\(context.root)\(VersionStanding.memoryFolder)/trial")
            ?? Files.firstLine(of: "\(folder)/trial") ?? ""
        let trial = record.split(separator: " ").map(String.init)
        guard trial.count == 4, trial[0] == installed, trial[3] == "fallback" else {
            return halves + [
                DoctorFinding(
                    .ok, Self.subject,
                    "\(installed), on trial until it has run for a minute; \(before) is ready to take over")
            ]
        }
        return halves + [
            DoctorFinding(
                .warn, Self.subject,
                "\(before) runs: \(installed) is installed, and did not get ready and stay so in three starts",
                remedy:
                    "journalctl -u scanstation says why; a newer version is tried by itself, this one once more after: sudo apt install --reinstall scanstation"
            )
        ]
    }

    /// A power cut while dpkg was at work.
    private func halfInstalled(in context: DoctorContext) -> DoctorFinding? {
        guard let state = PackageState.read(root: context.root), state != "install ok installed" else { return nil }
        return DoctorFinding(
            .warn, Self.subject, "its installation was interrupted (dpkg says: \(state))",
            remedy: "the next start of the machine finishes it; now: sudo systemctl start scanstation-repair")
    }
}
