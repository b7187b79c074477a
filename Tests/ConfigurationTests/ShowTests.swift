import Settings
import Testing

@testable import StationConfiguration

@Suite("Settings shown as YAML")
struct ShowTests {
    @Test("give the same settings again", arguments: 0..<200)
    func giveTheSame(_ seed: UInt64) throws {
        var random = RandomSettings(seed: seed)
        let settings = random.make()
        let yaml = StationConfiguration.show(settings)
        let loaded = try StationConfiguration.parse(yaml: yaml, file: "show.yaml")
        #expect(loaded.settings == settings, "\(yaml)")
    }

    @Test("show every value, defaults too, but nothing that isn't set")
    func showEveryValue() throws {
        let yaml = StationConfiguration.show(StationSettings())
        #expect(
            try StationConfiguration.parse(yaml: yaml, file: "f").settings == StationSettings())
        #expect(yaml.contains("    maxTime: 5ms\n"))
        #expect(yaml.contains("outputs:\n  - stdout:\n      format: json\n      scansOnly: off\n    name: stdout\n"))
        #expect(!yaml.contains("torch") && !yaml.contains("#"))
    }

    @Test("show a list of no outputs as such")
    func showNoOutputs() {
        var settings = StationSettings()
        settings.outputs = []
        #expect(StationConfiguration.show(settings).contains("outputs: []\n"))
    }

    @Test("Behind each value may be where it is from")
    func origins() throws {
        let text = """
            indicators: {good: GPIO22}
            trigger: {mode: host, timeout: 7s}
            outputs: [{stdout: {}}, {serial: {device: /dev/x}}]
            """
        var loaded = try StationConfiguration.parse(yaml: text, file: "f")
        loaded.overrule("log.level")
        let yaml = StationConfiguration.show(loaded.settings) { path in
            path == "trigger.timeout" ? .console : loaded.origin(of: path)
        }
        // Comments change nothing.
        #expect(try StationConfiguration.parse(yaml: yaml, file: "f").settings == loaded.settings)
        for line in [
            "  mode: host  # file", "  timeout: 7s  # console", "  gap: 0s  # default", "  level: info  # command line",
            "    line: GPIO22  # file", "      device: /dev/x  # file", "      baud: 115200  # default",
        ] {
            #expect(yaml.contains(line + "\n"), "\(line) isn't in\n\(yaml)")
        }
    }

    @Test("Of profiles, too", arguments: StationConfiguration.Profile.allCases)
    func ofProfiles(_ profile: StationConfiguration.Profile) throws {
        let loaded = try StationConfiguration.parse(yaml: StationConfiguration.profile(profile), file: "f")
        let again = try StationConfiguration.parse(yaml: StationConfiguration.show(loaded.settings), file: "f")
        #expect(again.settings == loaded.settings)
        #expect(again.warnings.map(\.message) == loaded.warnings.map(\.message))
    }
}
