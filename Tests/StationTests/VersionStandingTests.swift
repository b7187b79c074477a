import Glibc
import Linux
import Settings
import Testing
import Vocabulary
import Wire

@testable import Station

@Suite("Which version runs, and why")
struct VersionStandingTests {
    @Test(
        "the launcher says it in the environment",
        arguments: [
            ([:], VersionStanding.settled), (["SCANSTATION_TRIAL": ""], .settled),
            (["SCANSTATION_TRIAL": "1.1"], .onTrial("1.1")), (["SCANSTATION_INSTEAD_OF": "1.1"], .insteadOf("1.1")),
            (["SCANSTATION_UNPACKING": "1.1"], .whileUnpacking("1.1")),
        ] as [([String: String], VersionStanding)])
    func environment(variables: [String: String], wanted: VersionStanding) {
        #expect(VersionStanding { variables[$0] } == wanted)
    }

    @Test("a version on trial is confirmed by a file that everybody can read; others write nothing")
    func confirm() throws {
        let root = try FakeRoot()
        for standing in [VersionStanding.settled, .insteadOf("1.1"), .whileUnpacking("1.1")] {
            try standing.confirm(in: root.path)
        }
        #expect(Files.names(in: root.path).isEmpty)
        try VersionStanding.onTrial("1.1").confirm(in: root.path)
        try VersionStanding.onTrial("1.2").confirm(in: root.path)
        #expect(Files.names(in: root.path) == ["confirmed"])
        #expect(Files.text(of: root.path + "/confirmed") == "1.2\n")
        var status = stat()
        #expect(stat(root.path + "/confirmed", &status) == 0 && status.st_mode & 0o777 == 0o644)
        #expect(throws: SystemError.self) { try VersionStanding.onTrial("1.2").confirm(in: root.path + "/none") }
    }

    @Test("it has proved itself once it was well for a minute without a break, and once only")
    func trial() {
        func at(_ seconds: Int) -> Instant { .zero.advanced(by: .seconds(seconds)) }
        var machine = TrialMachine(isOnTrial: true, time: .seconds(60))
        #expect(machine.look(isWell: false, at: at(0)) == .nothing)
        #expect(machine.look(isWell: true, at: at(10)) == .nothing)
        #expect(machine.look(isWell: true, at: at(69)) == .nothing)
        #expect(machine.look(isWell: false, at: at(70)) == .nothing)
        #expect(machine.look(isWell: true, at: at(75)) == .nothing)
        #expect(machine.look(isWell: true, at: at(134)) == .nothing)
        #expect(machine.look(isWell: true, at: at(135)) == .confirm)
        #expect(machine.look(isWell: true, at: at(500)) == .nothing)
        var settled = TrialMachine(isOnTrial: false, time: .seconds(60))
        #expect(settled.look(isWell: true, at: at(0)) == .nothing)
        #expect(settled.look(isWell: true, at: at(100)) == .nothing)
    }

    private func look(_ root: FakeRoot) async -> [DoctorFinding] {
        await VersionCheck().findings(in: DoctorContext(settings: StationSettings(), root: root.path))
    }

    @Test("doctor says which version is installed, which one runs, and why")
    func doctor() async throws {
        let root = try FakeRoot()
        #expect(await look(root).isEmpty)
        try root.write("/usr/lib/scanstation/VERSION", "1.1\n")
        #expect(await look(root).map(\.finding) == ["1.1"])
        try root.write("/usr/lib/scanstation/previous/VERSION", "1.0\n")
        #expect(
            await look(root).first?.finding == "1.1, on trial until it has run for a minute; 1.0 is ready to take over")
        try root.write("/var/lib/scanstation-update/trial", "1.1 3 boot fallback\n")
        let given = await look(root)
        #expect(given.map(\.level) == [.warn] && given.first?.finding.hasPrefix("1.0 runs: 1.1 is installed") == true)
        // What is in memory is newer: the disk was full.
        try root.write("/run/scanstation-update/trial", "1.1 1 boot starting\n")
        #expect(await look(root).first?.finding.hasPrefix("1.1, on trial") == true)
        try root.write("/run/scanstation-update/trial", "1.1 0 boot fallback\n")
        #expect(await look(root).map(\.level) == [.warn])
        try root.write("/var/lib/scanstation-update/confirmed", "1.1\n")
        #expect(await look(root).first?.finding == "1.1; it has proved itself, 1.0 is kept")
        // Whatever the files say that are in their places already.
        for installed in ["1.0", "1.1"] {
            try root.write("/usr/lib/scanstation/VERSION", "\(installed)\n")
            try root.write("/usr/lib/scanstation/unpacking", "1.1\n")
            #expect(await look(root).map(\.finding) == ["1.1 is being installed: a station that starts now is 1.0"])
        }
    }

    @Test("an installation that was interrupted is a warning")
    func interrupted() async throws {
        let root = try FakeRoot()
        try root.write("/usr/lib/scanstation/VERSION", "1.1\n")
        try root.write(
            "/var/lib/dpkg/status",
            "Package: a\nStatus: install ok installed\n\nPackage: scanstation\nStatus: install reinstreq half-installed\n\n"
        )
        let findings = await look(root)
        #expect(findings.map(\.level) == [.warn, .ok])
        #expect(findings.first?.finding.contains("reinstreq half-installed") == true)
        try root.write("/var/lib/dpkg/status", "Package: scanstation\nStatus: install ok installed\n")
        #expect(await look(root).map(\.level) == [.ok])
    }
}
