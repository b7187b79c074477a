import Glibc
import Journal
import Settings
import TestSupport
import Testing
import Vocabulary
import Wire

@testable import Station
@testable import StationConfiguration

@Suite("Settings on trial in a station", .timeLimit(.minutes(10)))
struct TrialTests {
    private let folder = TemporaryFolder()
    private var file: OverlayFile { OverlayFile(folder: folder.path) }

    /// A station as `run` starts it on this folder.
    private func start(
        time: Duration = StationHarness.patience, _ change: (inout StationSettings) -> Void = { _ in }
    ) async throws -> StationHarness {
        let overlay = ConsoleOverlay(file, putsAside: true)
        let harness = try await StationHarness(pictures: ["05-empty.png"]) { settings in
            settings.trigger.mode = .host
            settings.trigger.timeout = .seconds(5)
            change(&settings)
            settings = overlay.laid(over: settings, decoders: nil)
        } options: {
            $0.overlay = overlay
            $0.overlayNotes = [overlay.problem].compactMap(\.self)
            $0.trialTime = time
        }
        try await harness.station.start()
        return harness
    }

    @Test(
        "An overlay with which the station wouldn't start is left out whole, and said; a file that is wrong itself rules as it is"
    )
    func givesWay() throws {
        var kept = SettingsOverlay()
        kept.values = ["trigger.timeout": "9s", "torch.autoLuma": "33"]
        try file.write(kept)
        let overlay = ConsoleOverlay(file, putsAside: true)
        var settings = StationSettings()
        settings.torch = TorchSettings(line: LineSettings(line: "x"))
        func problems(_ settings: StationSettings) -> [SettingProblem] {
            guard settings.trigger.timeout == .seconds(9) else { return [] }
            return [SettingProblem(path: "trigger.timeout", message: "nobody waits as long")]
        }
        let seen = overlay.look(at: settings, problems: problems)
        #expect(seen.settings == settings && seen.keys.isEmpty)
        #expect(seen.notes.count == 1)
        #expect(
            seen.notes.first?.contains("all of it is ignored, because the station wouldn't start with it: nobody waits")
                == true)
        let fine = overlay.look(at: settings) { _ in [] }
        #expect(fine.settings.trigger.timeout == .seconds(9) && fine.keys == ["trigger.timeout", "torch.autoLuma"])
        let wrong = overlay.look(at: settings) { _ in [SettingProblem(path: "outputs", message: "no")] }
        #expect(wrong.settings.trigger.timeout == .seconds(9) && wrong.notes.isEmpty)
    }

    private func change(
        _ harness: StationHarness, _ values: [String: JSONValue], by author: String = "owner", revision: String? = nil
    ) async -> Reply {
        var seen = revision
        if seen == nil { seen = await SettingsTrial.revision(of: harness.station.settings) }
        return await harness.station.perform(.change(values, revision: seen ?? "", author: author))
    }

    private func timeout(_ harness: StationHarness) async -> Duration { await harness.station.settings.trigger.timeout }

    @Test("Kept, it holds over a restart; the file says who changed what")
    func kept() async throws {
        let first = try await start()
        let reply = await change(first, ["trigger.timeout": "9s"])
        #expect(reply.error == nil)
        let trial = reply.fields["settings"]?["trial"]
        #expect(trial?["values"] == ["trigger.timeout": "9s"] && trial?["before"] == ["trigger.timeout": "5s"])
        #expect(trial?["author"] == "owner" && (trial?["leftMs"]?.doubleValue ?? 0) > 0)
        #expect(await timeout(first) == .seconds(9))
        #expect(try file.read()?.pending?.values == ["trigger.timeout": "9s"])
        #expect(try await first.nextState(of: "settings", "onTrial").detail == "trigger.timeout")
        #expect(await first.station.perform(.keep(revision: "old")).fields["code"] == "outdated")
        #expect(await first.station.perform(.keep(revision: nil)).error == nil)
        #expect(try await first.nextState(of: "settings", "kept").fields["settings"]?["trial"] == .null)
        await first.station.stop()
        let overlay = try #require(try file.read())
        #expect(overlay.values == ["trigger.timeout": "9s"] && overlay.pending == nil)
        #expect(overlay.changes.map(\.author) == ["owner"])

        let second = try await start()
        #expect(await timeout(second) == .seconds(9))
        let schema = await second.station.perform(.schema).fields
        let key = schema["keys"]?.arrayValue?.first { $0["key"] == "trigger.timeout" }
        #expect(key?["fromConsole"] == true)
        #expect(schema["changes"]?.arrayValue?.first?["from"] == "5s")
        await second.station.stop()
    }

    @Test("Nobody keeps it: the old value comes back by itself")
    func timeIsUp() async throws {
        let harness = try await start(time: .milliseconds(20))
        #expect(await change(harness, ["trigger.timeout": "9s", "torch.mode": "on"]).error == nil)
        #expect(try await harness.nextState(of: "settings", "takenBack").reason == "timeout")
        #expect(await timeout(harness) == .seconds(5))
        #expect(await harness.station.settings.torch?.mode == TorchSettings(line: LineSettings(line: "x")).mode)
        let overlay = try #require(try file.read())
        #expect(overlay.values.isEmpty && overlay.pending == nil)
        #expect(overlay.changes.map(\.key) == ["torch.mode", "trigger.timeout"])
        #expect(overlay.changes.map(\.fall) == [.timeout, .timeout] && overlay.changes.last?.from == "5s")
        let told = await harness.station.perform(.schema).fields["changes"]?.arrayValue
        #expect(told?.count == 2 && told?.allSatisfy { $0["back"] == "timeout" } == true)
        #expect(await harness.station.perform(.keep(revision: nil)).fields["code"] == "nothingOnTrial")
        await harness.station.stop()
    }

    @Test("Taken back, even when somebody else set one of its keys meanwhile: that stays")
    func takenBack() async throws {
        let harness = try await start()
        #expect(await change(harness, ["trigger.timeout": "9s", "capture.zoom": "2"]).error == nil)
        #expect(await harness.station.perform(.set(["capture.zoom": "3"])).error == nil)
        #expect(await harness.station.perform(.takeBack).error == nil)
        #expect(await timeout(harness) == .seconds(5))
        #expect(await harness.station.settings.capture.zoom == 3)
        #expect(try file.read() == SettingsOverlay())
        await harness.station.stop()
    }

    @Test("A station that ended during a trial comes back with what was, and says so")
    func ended() async throws {
        let first = try await start()
        #expect(await change(first, ["trigger.timeout": "9s"]).error == nil)
        await first.station.stop()
        #expect(try file.read()?.pending != nil)
        let second = try await start()
        #expect(await timeout(second) == .seconds(5))
        let notes = await second.station.perform(.status).fields["settings"]?["notes"]?.arrayValue
        #expect(notes?.first?.stringValue?.contains("by owner (trigger.timeout: 9s) was on trial") == true)
        let overlay = try #require(try file.read())
        #expect(overlay.values.isEmpty && overlay.pending == nil && overlay.changes.map(\.fall) == [.ended])
        let findings = await second.station.perform(.doctor).fields["findings"]?.arrayValue ?? []
        #expect(findings.contains { $0["check"] == "console" && $0["verdict"] == "warning" })
        await second.station.stop()
    }

    @Test("Who has seen something else is refused and told what is; so is everybody else during a trial")
    func twoPeople() async throws {
        let harness = try await start()
        let seen = await SettingsTrial.revision(of: harness.station.settings)
        #expect(await change(harness, ["trigger.timeout": "9s"], revision: seen).error == nil)
        let late = await change(harness, ["trigger.timeout": "8s"], by: "guest", revision: seen)
        #expect(late.fields["code"] == "outdated")
        #expect(late.fields["settings"]?["trial"]?["author"] == "owner")
        let other = await change(harness, ["capture.zoom": "2"], by: "guest")
        #expect(other.fields["code"] == "onTrial" && other.error?.contains("by owner") == true)
        #expect(await change(harness, ["capture.zoom": "2"]).error == nil)
        #expect(await harness.station.perform(.takeBack).error == nil)
        #expect(await SettingsTrial.revision(of: harness.station.settings) == seen)
        await harness.station.stop()
    }

    @Test("What can't be leaves no trace")
    func refused() async throws {
        let harness = try await start()
        let before = await harness.station.settings
        for values: [String: JSONValue] in [
            ["trigger.timeout": "soon"], ["trigger.timeout": [1]], ["log.level": "debug"], ["x": "1"],
            ["trigger.timeout": "9s", "capture.frameRate": "0"],
        ] {
            #expect(await change(harness, values).error != nil, "\(values)")
        }
        #expect(await harness.station.settings == before)
        #expect(try file.read() == nil)
        await harness.station.stop()
    }

    @Test("Nothing takes effect that isn't marked on disk before")
    func noDisk() async throws {
        let harness = try await start()
        let before = await harness.station.settings
        // A folder has its name.
        #expect(mkdir(file.path, 0o700) == 0)
        let reply = await change(harness, ["trigger.timeout": "9s"])
        #expect(reply.error?.hasPrefix("nothing was changed: ") == true)
        #expect(await harness.station.settings == before)
        #expect(rmdir(file.path) == 0)
        #expect(await change(harness, ["trigger.timeout": "9s"]).error == nil)
        #expect(mkdir(file.path + "x", 0o700) == 0)
        #expect(unlink(file.path) == 0 && rename(file.path + "x", file.path) == 0)
        // It can't be kept, and is on trial still.
        #expect(await harness.station.perform(.keep(revision: nil)).error?.contains("still on trial") == true)
        #expect(await harness.station.perform(.takeBack).error == nil)
        #expect(await harness.station.settings == before)
        await harness.station.stop()
    }

    @Test("A configuration that is read again lies under the trial and the overlay, and no value is lost")
    func reload() async throws {
        try file.write(SettingsOverlay().keeping(["capture.zoom": "2"], before: [:], author: "a", time: ""))
        let harness = try await start()
        let seen = await SettingsTrial.revision(of: harness.station.settings)
        #expect(await change(harness, ["trigger.timeout": "9s"]).error == nil)
        var new = await harness.station.settings
        new.trigger.timeout = .seconds(7)
        new.capture.zoom = 1
        new.trigger.gap = .milliseconds(123)
        #expect(try await harness.station.reload(new) == [])
        var now = await harness.station.settings
        #expect(now.trigger.timeout == .seconds(9) && now.capture.zoom == 2 && now.trigger.gap == .milliseconds(123))
        #expect(await harness.station.perform(.takeBack).error == nil)
        now = await harness.station.settings
        #expect(now.trigger.timeout == .seconds(7) && now.capture.zoom == 2)
        // A client that has seen the old file is told to look again.
        #expect(await change(harness, ["trigger.timeout": "8s"], revision: seen).fields["code"] == "outdated")

        // The overlay's file is read again, too.
        #expect(unlink(file.path) == 0)
        #expect(try await harness.station.reload(new) == [])
        #expect(await harness.station.settings.capture.zoom == 1)
        try folder.write(OverlayFile.name, "values: [")
        #expect(try await harness.station.reload(new) == [])
        #expect(access(file.brokenPath, F_OK) == 0)
        let notes = await harness.station.perform(.status).fields["settings"]?["notes"]?.arrayValue
        #expect(notes?.first?.stringValue?.contains(file.brokenPath) == true)
        await harness.station.stop()
    }

    @Test("A broken overlay stops nothing: it is put aside, and the file's values rule")
    func broken() async throws {
        try folder.write(OverlayFile.name, "\u{0}\u{1}")
        let harness = try await start()
        #expect(await timeout(harness) == .seconds(5))
        #expect(try file.read() == nil)
        let notes = await harness.station.perform(.status).fields["settings"]?["notes"]?.arrayValue
        #expect(notes?.first?.stringValue?.contains("the configuration file applies") == true)
        #expect(await change(harness, ["trigger.timeout": "9s"]).error == nil)
        #expect(await harness.station.perform(.keep(revision: nil)).error == nil)
        #expect(try file.read()?.values == ["trigger.timeout": "9s"])
        await harness.station.stop()
    }

    @Test("A station without a state folder takes no changes, and says what to use")
    func noFolder() async throws {
        let harness = try await StationHarness.start(pictures: ["05-empty.png"])
        let reply = await change(harness, ["trigger.timeout": "9s"])
        #expect(reply.error?.contains("\"set\"") == true)
        await harness.station.stop()
    }
}
