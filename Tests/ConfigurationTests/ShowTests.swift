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

    @Test("Of profiles, too", arguments: StationConfiguration.Profile.allCases)
    func ofProfiles(_ profile: StationConfiguration.Profile) throws {
        let loaded = try StationConfiguration.parse(yaml: StationConfiguration.profile(profile), file: "f")
        let again = try StationConfiguration.parse(yaml: StationConfiguration.show(loaded.settings), file: "f")
        #expect(again.settings == loaded.settings)
        #expect(again.warnings.map(\.message) == loaded.warnings.map(\.message))
    }
}
