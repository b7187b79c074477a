import StationConfiguration
import Testing

@testable import Station

@Suite("Settings that change")
struct SettingsTests {
    @Test("the station tells a part of each section in which something may change")
    func sections() {
        // One that is new here has to be told to whom it matters by `adopt` in Station.swift.
        #expect(
            RuntimeSettings.sections == ["capture", "torch", "trigger", "confirmation", "reading", "host", "log"])
    }

    @Test("the actor wires: what has a state of its own is a type of its own")
    func storedVariables() async throws {
        let harness = try await StationHarness(pictures: [])
        let stored = Mirror(reflecting: harness.station).children.compactMap(\.label).filter { !$0.hasPrefix("$") }
        #expect(stored.contains("machine"))
        #expect(stored.count <= 20, "\(stored)")
    }
}
