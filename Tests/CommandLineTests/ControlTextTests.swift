import ArgumentParser
import StationConfiguration
import Testing
import Vocabulary
import Wire

@testable import scanstation

/// What `ctl` and `watch` take and show.
@Suite("What ctl and watch take and show")
struct ControlTextTests {
    @Test("a viewport is the whole frame or four numbers")
    func viewport() throws {
        #expect(try ViewportControl.parse(["full"]).command == .viewport(.full))
        let half = try ViewportControl.parse(["0.25", "0.25", "0.5", "0.5", "--rule", "entire"])
        #expect(
            half.command == .viewport(Viewport(rect: Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5), rule: .entire)))
        for wrong in [
            [], ["whole"], ["0", "0", "1"], ["0", "0", "1", "x"], ["0.5", "0", "0.6", "1"], ["full", "0"],
        ] {
            #expect(throws: (any Error).self, "\(wrong)") { try ViewportControl.parse(wrong) }
        }
    }

    @Test(
        "a command that isn't one gets the nearest",
        arguments: [
            (["wacth"], "there is no command \"wacth\", did you mean watch? `scanstation --help` lists them"),
            (
                ["ctl", "stauts", "--json"],
                "there is no command \"stauts\", did you mean status? `scanstation ctl --help` lists them"
            ),
            (["zebra"], "there is no command \"zebra\": `scanstation --help` lists them"),
        ])
    func unknown(_ words: [String], _ message: String) {
        #expect(UnknownCommand(arguments: words, of: ScanStationCommand.self)?.message == message)
    }

    @Test(
        "what is wrong with a right command isn't its name",
        arguments: [
            ["watch", "--olny"], ["ctl", "torch", "blue"], ["lines", "--jsno"], ["--hlep"], ["help", "wacth"], [],
        ])
    func known(_ words: [String]) {
        #expect(UnknownCommand(arguments: words, of: ScanStationCommand.self) == nil)
    }

    @Test(
        "every error of the command line has one prefix, and exit code 64",
        arguments: [["wacth"], ["watch", "--only", "x"], ["ctl", "set", "x"]])
    func prefix(_ words: [String]) async throws {
        let result = try await Executable.run(words)
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("scanstation: "))
        #expect(result.output.isEmpty)
    }

    @Test("the clock is reported once, and again when it is set")
    func clock() {
        var note = ClockNote()
        let told = ["unsynced", "unsynced", "synced", "synced", "unsynced"].map {
            note.note(before: ["type": "scan", "clock": .string($0)]) != nil
        }
        #expect(told == [true, false, true, false, true])
        var synced = ClockNote()
        #expect(synced.note(before: ["clock": "synced"]) == nil)
        #expect(synced.note(before: ["type": "reply"]) == nil)
    }

    @Test("status is a dozen lines for a person, with what is wrong")
    func status() {
        let lines = StatusText.lines([
            "name": "dock-1", "version": "1.0", "uptimeSeconds": 240, "mode": "presentation", "paused": false,
            "clock": "unsynced",
            "camera": [
                "state": "running", "resolution": "1280x720", "frameRate": 30, "framesDelivered": 7000,
                "skipped": ["capture.sharpness: not offered"],
            ],
            "torch": ["hasTorch": true, "isTorchActive": false, "mode": "auto"],
            "journal": ["state": "full", "path": "/j.db", "scans": 3, "first": 1, "last": 3, "detail": "no room"],
            "outputs": [
                ["name": "till", "state": "ready", "lag": 0],
                ["name": "mqtt", "state": "waiting", "lag": 34, "detail": "no broker\u{1B}"],
            ],
            "counters": ["scans": 1, "noReads": 0, "sessions": 2],
            "lines": [
                ["role": "relay", "line": "GPIO26", "held": false, "problem": "in use"],
                ["role": "torch", "line": "GPIO17", "held": true],
            ],
        ])
        #expect(
            lines.joined(separator: "\n") == """
                station  dock-1 (1.0), up 4 min
                camera   running, 1280x720, 30 fps
                         → capture.sharpness: not offered
                trigger  presentation
                torch    dark, mode auto
                journal  /j.db: 3 scans (1 to 3), full
                  → no room
                outputs  till ready
                         mqtt waiting, 34 scans wait
                         → no broker<ESC>
                line     relay GPIO26: in use
                so far   1 scan, 0 no-reads, 2 sessions
                clock    not set: times can't be trusted
                """)
        #expect(!StatusText.lines(.null).isEmpty, "whatever a station of another version says")
    }

    @Test("an event's colour says how bad it is")
    func colours() {
        #expect(EventPaint.style(["type": "error"]) == .red)
        #expect(EventPaint.style(["type": "answer", "verdict": "accepted"]) == .green)
        #expect(EventPaint.style(["type": "answer", "verdict": "refused"]) == .red)
        #expect(EventPaint.style(["type": "state", "part": "journal", "state": "full"]) == .yellow)
        #expect(EventPaint.style(["type": "state", "part": "journal", "state": "ready"]) == .dim)
        #expect(EventPaint.style(["type": "receipt", "outcome": "accepted"]) == .dim)
    }

    @Test("the shell completes keys and event types")
    func completion() {
        let script = ScanStationCommand.completionScript(for: .bash)
        for word in ["trigger.timeout", "capture.viewport", "noRead"] { #expect(script.contains(word)) }
    }
}
