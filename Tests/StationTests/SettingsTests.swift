import Configuration
import Testing

@testable import Station

@Suite("Settings that change")
struct SettingsTests {
    @Test("the station tells a part of each section in which something may change")
    func sections() {
        // One that is new here has to be told to whom it matters by `adopt` in Station+Settings.swift.
        #expect(
            RuntimeSettings.sections == ["capture", "torch", "trigger", "confirmation", "reading", "host", "log"])
    }
}
