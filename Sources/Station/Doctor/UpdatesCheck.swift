import Linux
import Wire

/// Does the package follow a repository, and from when is the list that apt has of it? A list that is played back is ignored by apt without a
/// word: a date that stays is the only sign. Only for the package, and only where `scanstation.sources` is (docs/installing.md).
struct UpdatesCheck: DoctorCheck {
    private static let subject = "updates"
    private static let sources = "/etc/apt/sources.list.d/scanstation.sources"
    private static let lists = "/var/lib/apt/lists"
    /// What docs/installing.md has a person write for updates without a person.
    private static let allowed = "/etc/apt/apt.conf.d/52scanstation"
    private static let unattended = "/usr/bin/unattended-upgrade"

    /// A list that is played back is told by nothing else, unless it says itself how long it holds (`REPOSITORY_DAYS`).
    private static let oldAfterDays: Int64 = 365

    var clock = MachineClock.system

    func findings(in context: DoctorContext) async -> [DoctorFinding] {
        guard let sources = Files.text(of: context.root + Self.sources) else { return [] }
        let fields = DebianFields(sources)
        guard fields["Enabled"]?.lowercased() != "no" else {
            return [DoctorFinding(.ok, Self.subject, "\(Self.sources) is switched off (Enabled: no)")]
        }
        guard fields["URIs"] != nil else {
            return [
                DoctorFinding(
                    .warn, Self.subject, "\(Self.sources) doesn't say where the updates are: apt refuses it",
                    remedy: "write the folder's address into its line URIs:, then: sudo apt update")
            ]
        }
        guard let list = list(in: context) else {
            return [
                DoctorFinding(
                    .warn, Self.subject, "apt has no list of \(fields["URIs"] ?? "")",
                    remedy: "sudo apt update says why")
            ]
        }
        return [finding(of: list, in: context)] + (waitingForNobody(in: context).map { [$0] } ?? [])
    }

    private func finding(of list: DebianFields, in context: DoctorContext) -> DoctorFinding {
        let now = clock.wallNanoseconds / 1_000_000_000
        let day = list.day("Date").map { "of \($0)" } ?? "without a date"
        if let end = list.seconds("Valid-Until"), end < now {
            return DoctorFinding(
                .warn, Self.subject,
                "the list \(day) ended on \(list.day("Valid-Until") ?? ""): apt takes nothing from it",
                remedy: "it must be signed again where it is made (make repository), then: sudo apt update")
        }
        if let days = list.seconds("Date").map({ (now - $0) / 86400 }), days > Self.oldAfterDays {
            return DoctorFinding(
                .warn, Self.subject,
                "the list \(day), \(days) days ago, is the newest that apt has got: there was no update for so long, or "
                    + "this station is shown an old list, or its key doesn't fit any more",
                remedy: "sudo apt update, and look for a line that begins with Err or W:; where the list is made, "
                    + "make repository signs a new one")
        }
        let isUnattended = Files.text(of: context.root + Self.allowed)?.contains("origin=ScanStation") == true
        let age = list.seconds("Date").map { max(0, (now - $0) / 86400) }
        let days = age.map { $0 == 0 ? ", made today" : ", \($0) \($0 == 1 ? "day" : "days") ago" } ?? ""
        return DoctorFinding(
            .ok, Self.subject,
            "by the list \(day)\(days); \(isUnattended ? "taken by themselves" : "taken with: sudo apt upgrade")")
    }

    /// They are allowed to come by themselves, and what would take them isn't there.
    private func waitingForNobody(in context: DoctorContext) -> DoctorFinding? {
        guard Files.text(of: context.root + Self.allowed) != nil, Files.isMissing(context.root + Self.unattended) else {
            return nil
        }
        return DoctorFinding(
            .warn, Self.subject,
            "\(Self.allowed) lets them come by themselves, and unattended-upgrades isn't installed",
            remedy: "sudo apt install unattended-upgrades")
    }

    /// apt names the files after the address; the origin is in them.
    private func list(in context: DoctorContext) -> DebianFields? {
        let folder = context.root + Self.lists
        for name in Files.names(in: folder) where name.hasSuffix("_InRelease") || name.hasSuffix("_Release") {
            guard let text = Files.text(of: "\(folder)/\(name)") else { continue }
            let fields = DebianFields(text)
            if fields["Origin"] == "ScanStation" { return fields }
        }
        return nil
    }
}

/// `Name: value`, one a line, as apt's files have it; the first of a name counts. Lines that go on are left out.
private struct DebianFields {
    private var values: [String: String] = [:]

    init(_ text: String) {
        for line in text.split(separator: "\n") where line.first?.isWhitespace != true && line.first != "#" {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
            if !value.isEmpty, values[String(line[..<colon])] == nil { values[String(line[..<colon])] = String(value) }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Of a date, since 1970.
    func seconds(_ name: String) -> Int64? { values[name].flatMap(MailDate.seconds(of:)) }

    /// `2026-11-20`.
    func day(_ name: String) -> String? {
        seconds(name).map { String(WallTime.rfc3339(nanoseconds: $0 * 1_000_000_000).prefix(10)) }
    }
}
