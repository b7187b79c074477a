import ScanCore
import Testing

@testable import Configuration

@Suite("Profiles")
struct ProfileTests {
    private func settings(_ profile: StationConfiguration.Profile) throws -> StationSettings {
        try StationConfiguration.parse(yaml: StationConfiguration.profile(profile), file: "station.yaml").settings
    }

    @Test("parse without errors and warnings", arguments: StationConfiguration.Profile.allCases)
    func parse(_ profile: StationConfiguration.Profile) throws {
        #expect(problems(StationConfiguration.profile(profile)) == [])
    }

    @Test("agree about the reference wiring", arguments: StationConfiguration.Profile.allCases)
    func agreeAboutTheWiring(_ profile: StationConfiguration.Profile) throws {
        let wiring = [
            "torch.line": "GPIO17", "indicators.good.line": "GPIO22", "indicators.error.line": "GPIO23",
            "indicators.ready.line": "GPIO24", "buzzer.line": "GPIO18", "relay.line": "GPIO26",
            "trigger.button.line": "GPIO27", "confirmation.button.line": "GPIO5",
        ]
        for use in LineUse.all(in: try settings(profile)) { #expect(wiring[use.path] == use.line.line) }
    }

    @Test("say which keys they set, and the rest stays as it is without them")
    func setWhatTheySay() throws {
        let handheld = try settings(.handheld)
        #expect(handheld.trigger.mode == .pulse)
        #expect(handheld.trigger.button?.line == LineSettings(line: "GPIO27", activeLow: true))
        #expect(handheld.confirmation.policy == .alphanumeric)
        #expect(handheld.torch?.mode == .session)
        #expect(handheld.capture.focus.mode == .onTrigger)
        #expect(handheld.control == ControlSettings())

        let door = try settings(.door)
        #expect(door.relay?.pulse == .seconds(3))
        #expect(door.capture.viewport.rule == .entire)
        #expect(door.reading.symbologies.keys.allSatisfy { !$0.isLinear })

        let inventory = try settings(.inventory)
        #expect(inventory.trigger.mode == .continuous)
        #expect(inventory.trigger.repeatInterval == nil)
        #expect(inventory.reading.symbologies[.itf]?.checkDigit == .verify)
        #expect(inventory.reading.symbologies[.qrCode] == .standard(for: .qrCode))
    }
}
