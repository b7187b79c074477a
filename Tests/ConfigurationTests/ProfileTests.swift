import Settings
import Testing

@testable import StationConfiguration

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
        #expect(door.relay?.line.activeLow == false, "low, as the pin is until the station runs, is off")
        #expect(door.host.expectsAnswer)
        #expect(door.host.relayOnAccept)
        #expect(door.host.allowList != nil)
        #expect(door.capture.viewport.rule == .entire)
        #expect(door.reading.symbologies.keys.allSatisfy { !$0.isLinear })

        let inventory = try settings(.inventory)
        #expect(inventory.trigger.mode == .continuous)
        #expect(inventory.trigger.repeatInterval == nil)
        #expect(inventory.reading.symbologies[.itf]?.checkDigit == .verify)
        #expect(inventory.reading.symbologies[.qrCode] == .standard(for: .qrCode))
    }

    @Test(
        "what they offer as a comment works when it is uncommented", arguments: [("door", "unix"), ("till", "serial")])
    func alternatives(name: String, kind: String) throws {
        let profile = try #require(StationConfiguration.Profile(rawValue: name))
        let text = Self.withAlternative(StationConfiguration.profile(profile))
        #expect(problems(text) == [])
        let settings = try StationConfiguration.parse(yaml: text, file: "station.yaml").settings
        let output = try #require(settings.outputs.first)
        #expect(settings.outputs.count == 1)
        switch output.kind {
        case .unixSocket(let socket):
            #expect(kind == "unix")
            #expect(socket.receipt == .ack)
            #expect(output.deliveryMode == .live)
            #expect(!output.isRequired)
        case .serial(let serial):
            #expect(kind == "serial")
            #expect(serial.acknowledgement == .ackNak)
        default: Issue.record("another kind of output")
        }
    }

    @Test("a till types its articles, and its journal keeps none back for it")
    func till() throws {
        let till = try settings(.till)
        let output = try #require(till.outputs.first)
        guard case .keyboard = output.kind else {
            Issue.record("it has no keyboard")
            return
        }
        #expect(output.deliveryMode == .live)
        #expect(till.reading.symbologies.keys.contains(.ean13))
    }

    /// With the outputs in the comment instead of the others.
    static func withAlternative(_ profile: String) -> String {
        var isOther = false
        let lines = profile.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> Substring? in
            if line.hasPrefix("#outputs:") || line.hasPrefix("#  ") { return line.dropFirst() }
            if line.hasPrefix("outputs:") { isOther = true }
            if isOther, line.hasPrefix("outputs:") || line.hasPrefix("  ") { return nil }
            isOther = false
            return line
        }
        return lines.joined(separator: "\n")
    }
}
