import Capture
import Glibc
import Settings
import Testing
import Wire

@testable import Station

@Suite("Doctor: service and plugins")
struct ServiceDoctorTests {
    private static let unit = """
        [Service]
        ExecStart=/usr/bin/scanstation run --config /etc/scanstation/station.yaml
        User=scanstation
        SupplementaryGroups=video gpio
        """

    private func look(_ machine: FakeRoot) async -> [DoctorFinding] {
        await ServiceCheck().findings(in: DoctorContext(settings: StationSettings(), root: machine.path))
    }

    /// An installed service that doesn't start by itself.
    private func machine() throws -> FakeRoot {
        let machine = try FakeRoot()
        try machine.write("/run/systemd/system/x", "")
        try machine.write("/usr/lib/systemd/system/scanstation.service", Self.unit)
        try machine.write("/usr/bin/scanstation", "")
        try machine.write("/etc/passwd", "root:x:0:0::/:/bin/sh\nscanstation:x:990:990::/:/usr/sbin/nologin\n")
        try machine.write("/etc/group", "video:x:44:\ngpio:x:997:\n")
        return machine
    }

    @Test("without a unit, or without systemd, there is nothing to say")
    func nothing() async throws {
        #expect(await look(try FakeRoot()).isEmpty)
        let other = try FakeRoot()
        try other.write("/usr/lib/systemd/system/scanstation.service", Self.unit)
        #expect(await look(other).isEmpty)
    }

    @Test("a service that isn't enabled is a warning, and fine once it is")
    func enabled() async throws {
        let machine = try machine()
        let findings = await look(machine)
        #expect(findings.map(\.level) == [.warn])
        #expect(findings.first?.remedy == "sudo systemctl enable --now scanstation")
        try machine.write("/etc/systemd/system/multi-user.target.wants/x", "")
        let link = machine.path + "/etc/systemd/system/multi-user.target.wants/scanstation.service"
        #expect(symlink("/usr/lib/systemd/system/scanstation.service", link) == 0)
        #expect(await look(machine).map(\.level) == [.ok])
    }

    @Test("a user, a group or a program that isn't there keeps it from starting")
    func cannotStart() async throws {
        let machine = try machine()
        try machine.write("/etc/passwd", "scanstation2:x:990:990::/:/usr/sbin/nologin\n")
        try machine.write("/etc/group", "video:x:44:\n")
        unlink(machine.path + "/usr/bin/scanstation")
        let findings = await look(machine)
        #expect(findings.map(\.level) == [.fail, .fail, .fail])
        #expect(findings.map(\.finding).joined().contains("user \"scanstation\""))
        #expect(findings.map(\.finding).joined().contains("group \"gpio\""))
        #expect(findings.map(\.finding).joined().contains("/usr/bin/scanstation"))
    }

    @Test("the plugin that fits is named; without one it is said how to get it, and whether rpicam-vid helps out")
    func plugins() {
        let fitting = PluginFinding(path: "/usr/lib/scanstation/libcamera-0.7.so", libcamera: "v0.7.1", problem: nil)
        let other = PluginFinding(path: "/usr/lib/scanstation/libcamera-0.4.so", libcamera: nil, problem: "no")
        func finding(_ plugins: [PluginFinding], _ version: String?, _ hasProgram: Bool) -> DoctorFinding {
            PluginCheck.finding(plugins, libcamera: version, hasProgram: hasProgram)
        }
        #expect(finding([other, fitting], "0.7.1", false).level == .ok)
        #expect(finding([other, fitting], "0.7.1", false).finding.contains("libcamera-0.7.so"))
        #expect(finding([other], "0.9.0", false).level == .fail)
        #expect(finding([other], "0.9.0", false).remedy?.contains("scanstation camera build") == true)
        #expect(finding([other], "0.9.0", true).level == .warn)
        #expect(finding([], nil, false).level == .fail)
        #expect(finding([], nil, false).finding == "it isn't installed")
    }

    @Test(
        "the page's addresses are as its console says: with what to do for a phone in the network",
        arguments: [
            ([], "", DoctorFinding.Level.warn, "doesn't run", "systemctl status scanstation-console"),
            (["http://127.0.0.1:8080/"], "", .ok, "on this machine alone", "console password"),
            (["http://dock-1.local:8080/", "http://192.0.2.7:8080/"], "7\n", .ok, "http://192.0.2.7:8080/", ""),
            (["http://dock-1.local:8080/", "http://192.0.2.7:8080/"], "", .ok, "http://dock-1.local", "avahi-daemon"),
            (["http://192.0.2.7:8080/"], "", .ok, "http://192.0.2.7:8080/", ""),
        ] as [([String], String, DoctorFinding.Level, String, String)])
    func page(addresses: [String], responder: String, level: DoctorFinding.Level, text: String, remedy: String)
        async throws
    {
        let machine = try machine()
        try machine.write("/usr/lib/systemd/system/scanstation-console.service", "[Service]\n")
        if !responder.isEmpty { try machine.write("/run/avahi-daemon/pid", responder) }
        let console: JSONValue = [
            "enabled": true, "consoles": .integer(addresses.isEmpty ? 0 : 1),
            "addresses": .array(addresses.map(JSONValue.string)),
        ]
        let findings = await ConsoleCheck().findings(
            in: DoctorContext(settings: StationSettings(), root: machine.path, station: ["console": console]))
        #expect(findings.map(\.level) == [level])
        #expect(findings.first?.finding.contains(text) == true)
        #expect((findings.first?.remedy == nil) == remedy.isEmpty)
        if !remedy.isEmpty { #expect(findings.first?.remedy?.contains(remedy) == true) }
    }

    @Test("without a station that runs, or with the console switched off or older, nothing is said of its page")
    func noPage() async throws {
        let machine = try machine()
        let older: JSONValue = ["console": ["enabled": true, "consoles": 1]]
        for station in [nil, ["console": ["enabled": false]], older] as [JSONValue?] {
            let context = DoctorContext(settings: StationSettings(), root: machine.path, station: station)
            #expect(await ConsoleCheck().findings(in: context).isEmpty)
        }
    }
}
