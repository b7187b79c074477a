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
        let overlay = Self.kept.keeping(
            ["capture.viewport": "centre 50% 30%"], before: [:], author: "\u{202E}evil: [", time: "2026-11-24T12:01:00Z"
        )
        #expect(overlay.revision == 2)
        #expect(try SettingsOverlay(text: overlay.text) == overlay)
        #expect(try SettingsOverlay(text: SettingsOverlay().text) == SettingsOverlay())
    }

    @Test(
        "What isn't an overlay is refused",
        arguments: ["", "[]", "revision: x", "values: {}", "revision: 1\nvalues: {a: []}", "\t"])
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
    }

    @Test("Its file is replaced whole, or not at all")
    func file() throws {
        let folder = TemporaryFolder()
        let file = OverlayFile(folder: folder.path)
        #expect(try file.read() == nil)
        try file.write(Self.kept)
        #expect(try file.read() == Self.kept)
        // What an interrupted write left is no obstacle.
        #expect(symlink("/dev/null", file.path + ".part") == 0)
        let next = Self.kept.keeping(["trigger.timeout": "6s"], before: [:], author: "", time: "")
        try file.write(next)
        #expect(try file.read() == next)
        let nowhere = OverlayFile(folder: folder.path + "/missing")
        #expect(throws: SettingsOverlayError.self) { try nowhere.write(next) }
        #expect(truncate(file.path, 10) == 0)
        #expect(throws: SettingsOverlayError.self) { try file.read() }
    }

    @Test("A key goes back to what it was, also when it wasn't set; the others stay")
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

@Suite("A change of settings on trial")
struct SettingsTrialTests {
    fileprivate static let start = Instant(nanoseconds: 1_000_000_000)

    fileprivate static func proposal(_ settings: StationSettings = StationSettings()) -> SettingsTrialMachine.Proposal {
        .init(values: ["trigger.timeout": "9s"], author: "owner", before: settings)
    }

    @Test("Kept: the overlay has it, a revision later")
    func kept() throws {
        var machine = SettingsTrialMachine()
        try machine.propose(Self.proposal(), revision: 0)
        machine.applied(at: Self.start)
        let overlay = try machine.keep(wallTime: "now")
        #expect(machine.kept.revision == 0)
        #expect(machine.look(at: Self.start.advanced(by: .seconds(3600))) == nil)
        machine.written(overlay)
        #expect(machine.kept.values == ["trigger.timeout": "9s"] && machine.kept.revision == 1 && machine.trial == nil)
        #expect(machine.kept.changes.first?.from == RuntimeSettings.values(of: StationSettings())["trigger.timeout"])
        #expect(throws: SettingsTrialRefusal.outdated(current: 1)) { try machine.propose(Self.proposal(), revision: 0) }
    }

    @Test("Nobody keeps it: it goes back when its time is up")
    func timeIsUp() throws {
        var machine = SettingsTrialMachine()
        try machine.propose(Self.proposal(), revision: 0)
        machine.applied(at: Self.start)
        #expect(machine.deadline == Self.start.advanced(by: SettingsTrialMachine.standardTime))
        #expect(machine.look(at: Self.start.advanced(by: .seconds(59))) == nil)
        #expect(throws: SettingsTrialRefusal.busy) { try machine.propose(Self.proposal(), revision: 0) }
        #expect(machine.look(at: Self.start.advanced(by: .seconds(60))) == Self.proposal())
        #expect(throws: SettingsTrialRefusal.nothingOnTrial) { try machine.keep(wallTime: "") }
        #expect(machine.kept == SettingsOverlay())
    }

    @Test("Every course of up to five events ends with what was kept, or with what was before")
    func search() {
        var count = 0
        func walk(_ course: Course, _ depth: Int) {
            count += 1
            #expect(course.machine.trial != nil || course.isApplying || course.runs == course.kept)
            #expect(course.machine.kept.revision == UInt64(course.keeps))
            guard depth > 0 else { return }
            for event in Course.Event.allCases {
                var next = course
                next.take(event)
                walk(next, depth - 1)
            }
        }
        walk(Course(), 5)
        #expect(count > 59_000)
    }

    /// A station with one setting, beside the machine.
    private struct Course {
        enum Event: CaseIterable {
            case propose, proposeOutdated, applied, notApplied, keep, written, notWritten, takeBack, look, lookLate
        }

        var machine = SettingsTrialMachine()
        /// The setting's value, and the one that is kept.
        var (runs, kept) = (0, 0)
        var (keeps, asked) = (0, 0)
        var isApplying = false
        var writing: SettingsOverlay?
        var now = SettingsTrialTests.start

        mutating func take(_ event: Event) {
            switch event {
            case .propose: propose(revision: machine.kept.revision)
            case .proposeOutdated: propose(revision: machine.kept.revision + 1)
            case .applied where isApplying:
                isApplying = false
                runs = asked
                machine.applied(at: now)
            case .notApplied where isApplying:
                isApplying = false
                machine.notApplied()
            case .keep:
                if let overlay = try? machine.keep(wallTime: "") { writing = overlay }
            case .written:
                if let overlay = writing {
                    machine.written(overlay)
                    (writing, kept) = (nil, runs)
                    keeps += 1
                }
            case .notWritten:
                if writing != nil {
                    machine.written(nil)
                    writing = nil
                }
            case .takeBack: undo(try? machine.takeBack())
            case .look: undo(machine.look(at: now))
            case .lookLate:
                now = now.advanced(by: SettingsTrialMachine.standardTime)
                undo(machine.look(at: now))
            // The shell says these only of what it was asked for; the machine takes no notice otherwise.
            case .applied: machine.applied(at: now)
            case .notApplied: machine.notApplied()
            }
        }

        private mutating func propose(revision: UInt64) {
            guard (try? machine.propose(SettingsTrialTests.proposal(), revision: revision)) != nil else { return }
            asked += 1
            isApplying = true
        }

        private mutating func undo(_ proposal: SettingsTrialMachine.Proposal?) {
            if proposal != nil { runs = kept }
        }
    }
}
