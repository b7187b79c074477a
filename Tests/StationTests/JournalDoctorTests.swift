import Foundation
import Settings
import Testing
import Wire

@testable import Station

@Suite("Doctor: journal and outputs")
struct JournalDoctorTests {
    private let user = UserIdentity(id: 1000, name: "pat", groups: ["pat"])

    private func context(_ machine: FakeRoot, _ change: (inout StationSettings) -> Void) -> DoctorContext {
        var settings = StationSettings()
        settings.journal.folder = "/state"
        change(&settings)
        return DoctorContext(settings: settings, root: machine.path, user: user)
    }

    @Test("says of a folder that isn't there yet that it is made, and warns of a journal in memory")
    func place() async throws {
        let machine = try FakeRoot()
        let missing = await JournalFolderCheck().findings(in: context(machine) { _ in })
        #expect(missing.map(\.level) == [.ok])
        #expect(missing.first?.finding.contains("is made at the start") == true)
        let memory = await JournalFolderCheck().findings(in: context(machine) { $0.journal.storage = .memory })
        #expect(memory.map(\.level) == [.warn])
    }

    @Test("warns of damaged journals that were set aside, and fails on a file that is none")
    func damaged() async throws {
        let machine = try FakeRoot()
        try machine.write("/state/journal.db", String(repeating: "no database at all. ", count: 300))
        try machine.write("/state/journal-damaged-20261121-080000.db", "x")
        let findings = await JournalFolderCheck().findings(in: context(machine) { _ in })
        #expect(findings.contains { $0.level == .fail && $0.remedy?.contains("sets the file aside") == true })
        #expect(findings.contains { $0.level == .warn && $0.finding.contains("journal-damaged-20261121-080000.db") })
    }

    @Test("names the required outputs that scans wait for, and fails when the limit is near")
    func lag() async throws {
        let machine = try FakeRoot()
        var context = context(machine) { $0.journal.maxScans = 1000 }
        context.station = .object([
            "outputs": .array([
                ["name": "till", "required": true, "lag": 5, "state": "waiting", "detail": "no such serial device"],
                ["name": "web", "required": true, "lag": 900, "state": "waiting"],
                ["name": "keys", "required": false, "lag": 900, "state": "waiting"],
                ["name": "archive", "required": true, "lag": 5, "state": "ready"],
            ])
        ])
        let findings = await JournalFolderCheck().findings(in: context).filter { $0.finding.contains("wait for") }
        #expect(findings.map(\.level) == [.warn, .fail])
        #expect(findings.first?.finding == "5 scans wait for output \"till\": no such serial device")
        #expect(findings.last?.finding.contains("\"web\"") == true)
    }

    @Test("believes a running station about its journal")
    func running() async throws {
        let machine = try FakeRoot()
        var context = context(machine) { _ in }
        for (state, level) in [("ready", DoctorFinding.Level.ok), ("storageSlow", .warn), ("full", .fail)] {
            context.station = ["journal": ["state": .string(state), "detail": "so it is", "scans": 7]]
            let findings = await JournalFolderCheck().findings(in: context)
            #expect(findings.map(\.level) == [level])
            #expect(findings.first?.finding.contains("\(state), 7 scans") == true)
        }
    }

    @Test("names the setting of each file that an output needs and that isn't there, and secrets that anybody can read")
    func files() async throws {
        let machine = try FakeRoot()
        try machine.write("/etc/key", "secret")
        chmod(machine.path + "/etc/key", 0o644)
        let findings = await OutputFilesCheck().findings(
            in: context(machine) { settings in
                var mqtt = MQTTSettings(host: "broker")
                mqtt.tls = TLSSettings()
                mqtt.tls?.ca = "/etc/ca.pem"
                var webhook = WebhookSettings(url: "https://example.com")
                webhook.hmacKeyFile = "/etc/key"
                settings.outputs = [
                    OutputSettings(name: "a", kind: .standardOutput(StandardOutputSettings())),
                    OutputSettings(name: "b", kind: .mqtt(mqtt)), OutputSettings(name: "c", kind: .webhook(webhook)),
                ]
                settings.host.allowList = "/etc/allowed.txt"
            })
        #expect(
            findings.map(\.finding) == [
                "outputs[1].mqtt.tls.ca: no such file /etc/ca.pem",
                "outputs[2].webhook.hmacKeyFile: everybody on this machine can read /etc/key",
                "host.allowList: no such file /etc/allowed.txt",
            ])
        #expect(findings.map(\.level) == [.fail, .warn, .fail])
    }
}
