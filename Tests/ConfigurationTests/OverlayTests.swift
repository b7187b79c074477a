import Glibc
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import StationConfiguration

@Suite("Settings that were changed over the console")
struct OverlayTests {
    private static let kept = SettingsOverlay().keeping(
        ["trigger.timeout": "5s", "torch.mode": "auto"], before: ["trigger.timeout": "3s"], author: "owner \"x\"\n",
        time: "2026-11-24T12:00:00Z")

    @Test("What is written reads back the same")
    func roundTrip() throws {
        var overlay = Self.kept.keeping(
            ["capture.viewport": "centre 50% 30%"], before: [:], author: "\u{202E}evil: [", time: "2026-11-24T12:01:00Z"
        )
        #expect(try SettingsOverlay(text: overlay.text) == overlay)
        overlay.pending = .init(
            time: "2026-11-24T12:02:00Z", author: "a: \u{0}", values: ["trigger.timeout": "8s", "torch.mode": "on"])
        #expect(overlay.keeping([:], before: [:], author: "", time: "").pending == nil)
        #expect(try SettingsOverlay(text: overlay.text) == overlay)
        #expect(try SettingsOverlay(text: SettingsOverlay().text) == SettingsOverlay())
    }

    @Test(
        "What isn't an overlay is refused",
        arguments: [
            "", "[]", "changes: []", "values: []", "values: {a: []}", "\t", "values: {}\npending: {values: 1}",
            "values: {a: 1", "\u{0}",
        ])
    func damaged(_ text: String) {
        #expect(throws: SettingsOverlayError.self) { try SettingsOverlay(text: text) }
    }

    @Test("The log of changes is bounded")
    func log() {
        var overlay = SettingsOverlay()
        for number in 0..<(SettingsOverlay.maxChanges + 10) {
            overlay = overlay.keeping(
                ["trigger.timeout": "\(number)s"], before: [:], author: String(repeating: "a", count: 500), time: "")
        }
        #expect(overlay.changes.count == SettingsOverlay.maxChanges)
        #expect(overlay.changes.last?.to == "\(SettingsOverlay.maxChanges + 9)s")
        #expect(overlay.changes.last?.author.count == SettingsOverlay.maxAuthor)
    }

    @Test("It lies over the file's settings; what doesn't fit any more is left out and said")
    func laidOver() throws {
        var settings = StationSettings()
        let (over, leftOut) = Self.kept.laid(over: settings)
        #expect(over.trigger.timeout == .seconds(5))
        // There is no torch.
        #expect(over.torch == nil && leftOut.map(\.path) == ["torch.mode"])
        settings.torch = TorchSettings(line: LineSettings(line: "GPIO17"))
        let (lit, none) = Self.kept.laid(over: settings)
        #expect(lit.torch?.mode == .auto && none.isEmpty)
        var stale = Self.kept
        stale.values["trigger.timeout"] = "5 parsecs"
        stale.values["journal.folder"] = "/elsewhere"
        let (rest, two) = stale.laid(over: settings)
        #expect(rest.torch?.mode == .auto && rest.journal.folder == settings.journal.folder)
        #expect(two.map(\.path) == ["journal.folder", "trigger.timeout"])
        let (unlit, others) = Self.kept.laid(over: settings, keys: ["trigger.timeout"])
        #expect(unlit.torch?.mode == settings.torch?.mode && unlit.trigger.timeout == .seconds(5))
        #expect(others.map(\.path) == ["torch.mode"])
    }

    @Test("Its file is replaced whole, or not at all")
    func file() throws {
        let folder = TemporaryFolder()
        let file = OverlayFile(folder: folder.path)
        #expect(try file.read() == nil)
        try file.write(Self.kept)
        #expect(try file.read() == Self.kept)
        let next = Self.kept.keeping(["trigger.timeout": "6s"], before: [:], author: "", time: "")
        try file.write(next)
        #expect(try file.read() == next)
        let nowhere = OverlayFile(folder: folder.path + "/missing")
        #expect(throws: SettingsOverlayError.self) { try nowhere.write(next) }
        #expect(truncate(file.path, 10) == 0)
        #expect(throws: SettingsOverlayError.self) { try file.read() }
        try file.putAside()
        #expect(try file.read() == nil)
        #expect(access(file.brokenPath, F_OK) == 0)
        #expect(throws: SettingsOverlayError.self) { try file.putAside() }
    }

    @Test("A key goes back to what it was, even when it wasn't set; the others stay")
    func restore() throws {
        let before = StationSettings()
        var running = try RuntimeSettings.apply(
            ["capture.frameRate": "15", "trigger.timeout": "9s", "capture.exposure.gain": "4"], to: before)
        running = RuntimeSettings.restore(
            ["capture.frameRate", "capture.exposure.gain", "no.such.key"], from: before, into: running)
        #expect(running.capture.frameRate == nil && running.capture.exposure == before.capture.exposure)
        #expect(running.trigger.timeout == .seconds(9))
        for key in RuntimeSettings.keys {
            #expect(RuntimeSettings.restore([key.path], from: before, into: before) == before)
        }
    }

    @Test("The values of the keys are those that the file has, and can be set as they are")
    func values() throws {
        let settings = StationSettings()
        let values = RuntimeSettings.values(of: settings)
        #expect(values["trigger.mode"] == "presentation" && values["capture.frameRate"] == nil)
        #expect(try RuntimeSettings.apply(values, to: settings) == settings)
    }
}
