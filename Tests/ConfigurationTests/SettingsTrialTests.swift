import Settings
import Testing
import Vocabulary

@testable import StationConfiguration

@Suite("A change of settings on trial")
struct SettingsTrialTests {
    private typealias Machine = SettingsTrialMachine

    private static let start = Instant(nanoseconds: 1_000_000_000)
    private static let base = StationSettings()

    private static func with(_ values: [String: String], over settings: StationSettings = base) throws
        -> StationSettings
    {
        try RuntimeSettings.apply(values, to: settings)
    }

    /// What the shell does for a change that works.
    @discardableResult
    private static func change(
        _ machine: inout Machine, _ values: [String: String], by author: String = "owner",
        _ running: inout StationSettings, at now: Instant = start
    ) throws -> SettingsOverlay {
        let marker = try machine.propose(
            .init(values: values, author: author), revision: "r", current: "r", running: running, wallTime: "now")
        machine.marked(true)
        let before = running
        running = try with(values, over: before)
        machine.applied(at: now, before: before, after: running)
        return marker
    }

    @Test("The marker says what is on trial, and keeps nothing of it")
    func marker() throws {
        var (machine, running) = (Machine(), Self.base)
        let marker = try Self.change(&machine, ["trigger.timeout": "9s"], &running)
        #expect(marker.values.isEmpty)
        #expect(marker.pending == .init(time: "now", author: "owner", values: ["trigger.timeout": "9s"]))
        #expect(machine.kept.pending == nil)
        // A station that comes back has what was kept.
        #expect(Machine(kept: marker).kept == SettingsOverlay())
    }

    @Test("Without the marker on disk, nothing takes effect")
    func notMarked() throws {
        var machine = Machine()
        _ = try machine.propose(
            .init(values: ["trigger.timeout": "9s"], author: "owner"), revision: "r", current: "r", running: Self.base,
            wallTime: "")
        machine.marked(false)
        machine.applied(at: Self.start, before: Self.base, after: Self.base)
        #expect(machine.trial == nil)
        var running = Self.base
        try Self.change(&machine, ["trigger.timeout": "8s"], &running)
    }

    @Test("Kept: the overlay has it, with who changed what")
    func kept() throws {
        var (machine, running) = (Machine(), Self.base)
        try Self.change(&machine, ["trigger.timeout": "9s"], &running)
        let overlay = try machine.keep(running: running, wallTime: "then")
        #expect(machine.kept == SettingsOverlay())
        #expect(machine.look(at: Self.start.advanced(by: .seconds(3600))) == nil)
        machine.written(true)
        #expect(machine.kept == overlay && overlay.values == ["trigger.timeout": "9s"] && machine.trial == nil)
        let was = RuntimeSettings.values(of: Self.base)["trigger.timeout"] ?? ""
        #expect(overlay.changes == [.init(time: "then", author: "owner", key: "trigger.timeout", from: was, to: "9s")])
    }

    @Test("Nobody keeps it: it goes back when its time is up")
    func timeIsUp() throws {
        var (machine, running) = (Machine(), Self.base)
        try Self.change(&machine, ["trigger.timeout": "9s"], &running)
        #expect(machine.deadline == Self.start.advanced(by: Machine.standardTime))
        #expect(machine.look(at: Self.start.advanced(by: .seconds(59))) == nil)
        let ended = machine.look(at: Self.start.advanced(by: .seconds(60)))
        let trial = try #require(ended)
        #expect(trial.undone(in: running) == Self.base)
        machine.note(trial, running: running, wallTime: "then")
        #expect(throws: SettingsTrialRefusal.busy) { try Self.change(&machine, ["torch.mode": "on"], &running) }
        machine.cleared()
        #expect(throws: SettingsTrialRefusal.nothingOnTrial) { try machine.keep(running: running, wallTime: "") }
        #expect(throws: SettingsTrialRefusal.nothingOnTrial) { try machine.takeBack() }
        let was = RuntimeSettings.values(of: Self.base)["trigger.timeout"] ?? ""
        #expect(machine.kept.values.isEmpty)
        #expect(
            machine.kept.changes == [
                .init(time: "then", author: "owner", key: "trigger.timeout", from: was, to: "9s", fall: .timeout)
            ])
    }

    @Test("What was on trial when the station ended is in the log of the next start")
    func endedMeanwhile() throws {
        var (machine, running) = (Machine(), Self.base)
        let marker = try Self.change(&machine, ["trigger.timeout": "9s"], &running)
        var next = Machine(kept: marker)
        let pending = try #require(marker.pending)
        next.note(pending, running: Self.base)
        #expect(next.kept.values.isEmpty && next.kept.pending == nil)
        #expect(next.kept.changes.map(\.fall) == [.ended])
        #expect(next.kept.changes.map(\.time) == ["now"])
        let written = try SettingsOverlay(text: next.kept.text)
        #expect(written == next.kept)
    }

    @Test("Somebody who has seen something else is refused, and so is anybody else during a trial")
    func others() throws {
        var (machine, running) = (Machine(), Self.base)
        #expect(throws: SettingsTrialRefusal.outdated) {
            try machine.propose(
                .init(values: ["trigger.timeout": "9s"], author: "owner"), revision: "old", current: "new",
                running: running, wallTime: "")
        }
        try Self.change(&machine, ["trigger.timeout": "9s"], &running)
        #expect(throws: SettingsTrialRefusal.onTrial(by: "owner")) {
            try Self.change(&machine, ["trigger.timeout": "8s"], by: "guest", &running)
        }
    }

    @Test("Its author may add to it; its time starts again, and all of it goes back together")
    func more() throws {
        var (machine, running) = (Machine(), Self.base)
        try Self.change(&machine, ["trigger.timeout": "9s", "capture.frameRate": "15"], &running)
        let marker = try Self.change(
            &machine, ["trigger.timeout": "8s", "capture.zoom": "2"], &running,
            at: Self.start.advanced(by: .seconds(50)))
        #expect(marker.pending?.values == ["trigger.timeout": "8s", "capture.frameRate": "15", "capture.zoom": "2"])
        #expect(machine.look(at: Self.start.advanced(by: .seconds(60))) == nil)
        #expect(try machine.takeBack().undone(in: running) == Self.base)
    }

    @Test("An addition that can't be applied leaves the trial as it was")
    func refusedAddition() throws {
        var (machine, running) = (Machine(), Self.base)
        try Self.change(&machine, ["trigger.timeout": "9s"], &running)
        _ = try machine.propose(
            .init(values: ["torch.mode": "on"], author: "owner"), revision: "r", current: "r", running: running,
            wallTime: "")
        machine.marked(true)
        #expect(machine.deadline == nil)
        #expect(machine.notApplied(wallTime: "").pending?.values == ["trigger.timeout": "9s"])
        #expect(machine.trial?.proposal.values == ["trigger.timeout": "9s"] && machine.deadline != nil)
    }

    @Test("What somebody else sets meanwhile is theirs: neither taken back nor kept")
    func overruled() throws {
        var (machine, running) = (Machine(), Self.base)
        try Self.change(&machine, ["trigger.timeout": "9s", "capture.zoom": "2"], &running)
        running = try Self.with(["trigger.timeout": "4s"], over: running)
        let undone = try #require(machine.trial).undone(in: running)
        #expect(undone.trigger.timeout == .seconds(4) && undone.capture.zoom == Self.base.capture.zoom)
        // An addition doesn't bring the old value back.
        let marker = try Self.change(&machine, ["capture.frameRate": "15"], &running)
        #expect(marker.pending?.values.keys.sorted() == ["capture.frameRate", "capture.zoom"])
        #expect(
            try machine.keep(running: running, wallTime: "").values.keys.sorted() == [
                "capture.frameRate", "capture.zoom",
            ])
        machine.written(false)
        running = try Self.with(["capture.frameRate": "10", "capture.zoom": "3"], over: running)
        #expect(throws: SettingsTrialRefusal.overruled) { try machine.keep(running: running, wallTime: "") }
    }

    @Test("A configuration that is read again lies under the trial: taken back, it is what rules")
    func readAgain() throws {
        var (machine, running) = (Machine(), Self.base)
        try Self.change(&machine, ["trigger.timeout": "9s"], &running)
        let file = try Self.with(["trigger.timeout": "7s", "capture.zoom": "2"])
        running = try Self.with(["trigger.timeout": "9s"], over: file)
        let hand = SettingsOverlay().keeping(["capture.zoom": "2"], before: [:], author: "", time: "")
        machine.rebased(kept: hand, values: ["trigger.timeout": "9s"], before: file, after: running)
        #expect(machine.kept == hand)
        #expect(
            try machine.keep(running: running, wallTime: "").values == ["trigger.timeout": "9s", "capture.zoom": "2"])
        machine.written(false)
        #expect(try machine.takeBack().undone(in: running) == file)
    }

    @Test("Every course of up to five events ends with what was kept, or with what was before")
    func search() {
        var count = 0
        func walk(_ course: Course, _ depth: Int) {
            count += 1
            if let problem = course.problem { Issue.record("\(problem) after \(course.events)") }
            guard depth > 0 else { return }
            for event in Course.Event.allCases where course.takes(event) {
                var next = course
                next.take(event)
                walk(next, depth - 1)
            }
        }
        walk(Course(), 5)
        #expect(count > 10_000)
    }

    /// A station with one setting that a console changes, beside the machine; what its disk has.
    private struct Course {
        enum Event: CaseIterable {
            case propose, proposeOutdated, proposeOther, marked, notMarked, applied, notApplied
            case keep, written, notWritten, takeBack, look, lookLate, cleared, set, reload, restart
        }

        var machine = Machine()
        var events: [Event] = []
        var running = SettingsTrialTests.base
        /// What the configuration file and the overlay together say.
        var ground = SettingsTrialTests.base
        var disk = SettingsOverlay()
        var asked = 10
        var waits: Event?
        var wanted: SettingsOverlay?
        var now = SettingsTrialTests.start

        /// What must always hold.
        var problem: String? {
            if disk.values != machine.kept.values, waits != .written { return "the disk has another overlay" }
            if machine.trial == nil, waits == nil, !isSetByOther, running != ground { return "a value stays" }
            if machine.trial != nil, disk.pending == nil, waits != .written { return "a trial without its marker" }
            return nil
        }
        var isSetByOther = false

        /// The shell says only what it was asked for.
        func takes(_ event: Event) -> Bool {
            switch event {
            case .marked, .notMarked: waits == .marked
            case .applied, .notApplied: waits == .applied
            case .written, .notWritten: waits == .written
            case .cleared: waits == .cleared
            default: true
            }
        }

        mutating func take(_ event: Event) {
            events.append(event)
            switch event {
            case .propose, .proposeOther, .proposeOutdated:
                let author = event == .proposeOther ? "guest" : "owner"
                let marker = try? machine.propose(
                    .init(values: ["capture.frameRate": "\(asked)"], author: author),
                    revision: event == .proposeOutdated ? "old" : "r", current: "r", running: running, wallTime: "")
                if let marker { (waits, wanted) = (.marked, marker) }
            case .marked:
                disk = wanted ?? disk
                machine.marked(true)
                waits = .applied
            case .notMarked:
                machine.marked(false)
                waits = nil
            case .applied:
                let before = running
                running.capture.frameRate = Double(asked)
                asked += 1
                machine.applied(at: now, before: before, after: running)
                waits = nil
            case .notApplied:
                disk = machine.notApplied(wallTime: "")
                waits = machine.trial == nil ? .cleared : nil
            case .keep:
                if let overlay = try? machine.keep(running: running, wallTime: "") {
                    (waits, wanted) = (.written, overlay)
                }
            case .written:
                disk = wanted ?? disk
                machine.written(true)
                ground.capture.frameRate = disk.values["capture.frameRate"].flatMap(Double.init)
                waits = nil
            case .notWritten:
                machine.written(false)
                waits = nil
            case .takeBack: undo(try? machine.takeBack())
            case .look: undo(machine.look(at: now))
            case .lookLate:
                now = now.advanced(by: Machine.standardTime)
                undo(machine.look(at: now))
            case .cleared:
                disk = machine.kept
                machine.cleared()
                waits = nil
            case .set:
                running.capture.frameRate = 5
                isSetByOther = true
            case .reload:
                let trial = machine.trial
                let own = trial?.own(in: running) ?? []
                let values = trial?.proposal.values.filter { own.contains($0.key) } ?? [:]
                running = (try? RuntimeSettings.apply(values, to: ground)) ?? ground
                machine.rebased(kept: disk, values: values, before: ground, after: running)
                isSetByOther = false
            case .restart:
                machine = Machine(kept: disk)
                disk = machine.kept
                ground.capture.frameRate = disk.values["capture.frameRate"].flatMap(Double.init)
                (running, waits, isSetByOther) = (ground, nil, false)
            }
        }

        private mutating func undo(_ trial: Machine.Trial?) {
            guard let trial else { return }
            running = trial.undone(in: running)
            waits = .cleared
        }
    }
}
