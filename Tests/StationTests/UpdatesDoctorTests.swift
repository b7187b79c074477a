import Linux
import Settings
import Testing

@testable import Station

@Suite("Doctor: updates")
struct UpdatesDoctorTests {
    private static let sources = """
        Types: deb
        URIs: https://example.org/scanstation
        Suites: stable
        Signed-By: /usr/share/keyrings/scanstation-archive-keyring.gpg
        """
    private static let list = "/var/lib/apt/lists/example.org_scanstation_dists_stable_InRelease"

    private let root: FakeRoot

    init() throws {
        root = try FakeRoot()
        try root.write("/etc/apt/sources.list.d/scanstation.sources", Self.sources)
        try root.write(
            "/var/lib/apt/lists/mirror.example_debian_dists_trixie_InRelease", Self.release(origin: "Debian"))
    }

    private static func release(
        origin: String = "ScanStation", date: String = "Fri, 20 Nov 2026 22:30:00 +0000", end: String? = nil
    ) -> String {
        """
        -----BEGIN PGP SIGNED MESSAGE-----
        Hash: SHA512

        Origin: \(origin)
        Suite: stable
        Date: \(date)
        \(end.map { "Valid-Until: \($0)\n" } ?? "")SHA256:
         Date: 1970 Packages
        """
    }

    /// At noon, on 27 November 2026.
    private func look() async -> [DoctorFinding] {
        let clock = MachineClock(wallNanoseconds: { 1_795_780_800_000_000_000 })
        return await UpdatesCheck(clock: clock).findings(
            in: DoctorContext(settings: StationSettings(), root: root.path))
    }

    @Test("a station that follows no repository hears nothing about it")
    func notFollowed() async throws {
        let other = try FakeRoot()
        let context = DoctorContext(settings: StationSettings(), root: other.path)
        #expect(await UpdatesCheck().findings(in: context).isEmpty)
    }

    @Test("the list's day and age, as apt ignores one that is played back without a word")
    func age() async throws {
        try root.write(Self.list, Self.release())
        #expect(
            await look() == [
                DoctorFinding(.ok, "updates", "by the list of 2026-11-20, 6 days ago; taken with: sudo apt upgrade")
            ])
        try root.write(Self.list, Self.release(date: "Fri, 27 Nov 2026 08:00:00 UTC"))
        #expect(await look().map(\.finding) == ["by the list of 2026-11-27, made today; taken with: sudo apt upgrade"])
        try root.write(Self.list, Self.release(date: "yesterday"))
        #expect(await look().map(\.finding) == ["by the list without a date; taken with: sudo apt upgrade"])
    }

    @Test("a list that has ended is taken from no more; one that never ends isn't")
    func ended() async throws {
        try root.write(Self.list, Self.release(end: "Thu, 26 Nov 2026 22:30:00 +0000"))
        let findings = await look()
        #expect(findings.map(\.level) == [.warn])
        #expect(findings.first?.finding == "the list of 2026-11-20 ended on 2026-11-26: apt takes nothing from it")
        try root.write(Self.list, Self.release(end: "Fri, 31 Dec 9999 00:00:00 +0000"))
        #expect(await look().map(\.level) == [.ok])
    }

    @Test("a list of more than a year ago may be an old one that is shown again")
    func old() async throws {
        try root.write(Self.list, Self.release(date: "Thu, 27 Nov 2025 12:00:00 +0000"))
        #expect(await look().map(\.level) == [.ok])
        try root.write(Self.list, Self.release(date: "Tue, 25 Nov 2025 12:00:00 +0000"))
        let findings = await look()
        #expect(findings.map(\.level) == [.warn])
        #expect(findings.first?.finding.hasPrefix("the list of 2025-11-25, 367 days ago, is the newest") == true)
    }

    @Test("without a list, or an address, the finding says what to do")
    func nothingTaken() async throws {
        #expect(await look().map(\.finding) == ["apt has no list of https://example.org/scanstation"])
        try root.write(
            "/etc/apt/sources.list.d/scanstation.sources",
            Self.sources.replacing("URIs:", with: "# Where this folder is found:\n# URIs:"))
        let findings = await look()
        #expect(findings.map(\.level) == [.warn])
        #expect(findings.first?.finding.hasSuffix("doesn't say where the updates are: apt refuses it") == true)
        try root.write("/etc/apt/sources.list.d/scanstation.sources", Self.sources + "\nEnabled: no\n")
        #expect(await look().map(\.level) == [.ok])
    }

    @Test("updates that may come by themselves, and nothing that takes them")
    func unattended() async throws {
        try root.write(Self.list, Self.release())
        try root.write(
            "/etc/apt/apt.conf.d/52scanstation",
            #"Unattended-Upgrade::Origins-Pattern { "origin=ScanStation,codename=stable"; };"#)
        #expect(await look().map(\.level) == [.ok, .warn])
        try root.write("/usr/bin/unattended-upgrade", "")
        #expect(await look().map(\.finding) == ["by the list of 2026-11-20, 6 days ago; taken by themselves"])
    }
}
