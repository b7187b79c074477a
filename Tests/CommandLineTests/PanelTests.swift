import Foundation
import Journal
import Peripherals
import Settings
import Testing
import Vocabulary
import Wire

@testable import scanstation

/// What the panel shows, and how it fits.
@Suite("Panel", .timeLimit(.minutes(10)))
struct PanelTests {
    private static let sizes = [
        (200, 60), (100, 30), (80, 24), (60, 20), (60, 15), (48, 16), (40, 20), (30, 6), (24, 20),
    ]

    private static let model: PanelModel = {
        var model = PanelModel()
        model.name = "dock-1"
        model.camera = "running"
        model.isCameraRunning = true
        model.mode = "presentation"
        model.activity = "always looking; each code once"
        model.lamps = ["torch (session)", "good", "error", "ready", "buzzer", "relay"].map {
            PanelModel.Lamp(name: $0, isOn: false, colour: .green)
        }
        model.keys = [
            ("space", "trigger"), ("m", "mode"), ("t", "torch"), ("c", "confirm"), ("p", "pause"), ("q", "quit"),
        ].map { PanelModel.Key(key: $0.0, action: $0.1) }
        model.counters = [.count(1, "scan", "scans"), .count(2, "session", "sessions")]
        return model
    }()

    private static func render(_ model: PanelModel, _ columns: Int, _ rows: Int) -> [String] {
        PanelScreen.render(model, columns: columns, rows: rows, isColoured: false)
            .map { $0.replacing(/\u{1b}\[[0-9;?]*[A-Za-z]/, with: "") }
    }

    @Test("where the console is, and who is watching, is on the panel while there is something to say")
    func console() {
        #expect(PanelModel.console(at: nil, viewers: 0) == nil)
        #expect(PanelModel.console(at: nil, viewers: 1) == "1 person is watching")
        let pages = ["http://dock-1.local:8080/", "http://192.168.1.7:8080/"]
        #expect(
            PanelModel.console(at: "http://127.0.0.1:8080/#key=a", inNetwork: pages, viewers: 0)
                == (["http://127.0.0.1:8080/#key=a"] + pages).joined(separator: "  "))
        var model = Self.model
        model.console = PanelModel.console(at: "http://127.0.0.1:8080/#key=\u{1b}[2Jabc", viewers: 2)
        let rows = Self.render(model, 100, 30).joined()
        #expect(rows.contains("console"))
        #expect(rows.contains("http://127.0.0.1:8080/#key="))
        #expect(rows.contains("2 people are watching"))
        #expect(!Self.render(Self.model, 100, 30).joined().contains("console"))
    }

    /// The words of the rows, whatever lines and frame they stand in.
    private static func words(_ lines: [String]) -> String {
        lines.joined(separator: " ").replacing("│", with: " ").split(separator: " ").joined(separator: " ")
    }

    @Test("every row is exactly as wide as the terminal, with wide characters, flags and families in it")
    func width() {
        var model = Self.model
        for text in [
            "倉庫の棚 12 🙂 e\u{301}", "flag 🇩🇪 🇯🇵", "family 👨\u{200D}👩\u{200D}👧", "👍🏽 ✅ ❤\u{FE0F} 1\u{FE0F}\u{20E3}", "한국어",
        ] {
            model.scans.append(.init(time: "12:00:00", symbology: "qr_code", kind: "text", text: text))
        }
        for (columns, rows) in Self.sizes {
            let lines = Self.render(model, columns, rows)
            #expect(lines.count == rows)
            for line in lines { #expect(StyledText.columns(of: line) == columns, "\(line)") }
        }
    }

    @Test(
        "a flag, a family and a hand with a skin tone are two columns wide",
        arguments: ["🇩🇪", "👨\u{200D}👩\u{200D}👧", "👍🏽", "❤\u{FE0F}", "✅", "倉", "한"])
    func twoColumns(_ character: String) {
        #expect(TextWidth.columns(of: character) == 2)
    }

    @Test(
        "digits, letters with accents and text symbols are one column wide",
        arguments: ["1", "#", "é", "e\u{301}", "©", "●"])
    func oneColumn(_ character: String) {
        #expect(TextWidth.columns(of: character) == 1)
    }

    @Test("where terminals disagree about a width, the row is cleared and the frame's place is reported")
    func frame() throws {
        var model = Self.model
        model.scans = [.init(time: "12:00:00", symbology: "qr_code", kind: "text", text: "flag 🇩🇪")]
        let lines = PanelScreen.render(model, columns: 80, rows: 24, isColoured: false)
        let row = try #require(lines.first { $0.contains("🇩🇪") })
        #expect(row.hasPrefix("\u{1b}[2K"))
        #expect(row.hasSuffix("\u{1b}[80G│"))
        #expect(lines.filter { $0.contains("\u{1b}") }.count == 1)
    }

    @Test("the relay's lamp and the key that quits are there at any width", arguments: [40, 48, 60, 80])
    func narrow(columns: Int) {
        let words = Self.words(Self.render(Self.model, columns, 20))
        for lamp in Self.model.lamps { #expect(words.contains("○ \(lamp.name)")) }
        for key in Self.model.keys { #expect(words.contains("\(key.key) \(key.action)")) }
    }

    @Test("the whole reason why no scan is kept is shown, even at 60 columns")
    func reason() {
        let detail =
            "/var/lib/scanstation/simulated/journal.db is in use by process 417: two stations can't write one journal. "
            + "Stop the other one, or set journal.folder"
        var troubles = PanelTroubles()
        var model = Self.model
        model.isBlocked = true
        model.troubles = troubles.look(at: Self.journal(.unavailable(detail: detail)), [], now: .now)
        for (columns, rows) in [(60, 20), (80, 24), (200, 60)] {
            let words = Self.words(Self.render(model, columns, rows))
            #expect(words.contains("journal unavailable: \(detail)"))
            #expect(words.contains("not reading: no scan can be kept"))
        }
    }

    @Test("an output that waits has a line while it does, with what waits and why")
    func waiting() {
        var troubles = PanelTroubles()
        var output = OutputReport(
            name: "till", kind: "serial", status: OutputStatus(.waiting, detail: "no such device"))
        output.lag = 45
        var now = ContinuousClock.now
        for _ in 1...100 {
            let found = troubles.look(at: Self.journal(.ready), [output], now: now)
            #expect(
                found == [
                    .init(subject: "till", text: "waiting, 45 scans wait: no such device", reason: "no such device")
                ])
            now += .seconds(60)
        }
        output.status = OutputStatus(.ready)
        output.lag = 0
        #expect(troubles.look(at: Self.journal(.ready), [output], now: now).isEmpty)
    }

    @Test("an output that works has a line only if scans go on waiting for it")
    func lagging() {
        var troubles = PanelTroubles()
        var output = OutputReport(name: "till", kind: "serial", status: OutputStatus(.ready))
        output.lag = 1
        let start = ContinuousClock.now
        func look(_ seconds: Double) -> [String] {
            troubles.look(at: Self.journal(.ready), [output], now: start + .seconds(seconds)).map(\.text)
        }
        #expect(look(0) == [])
        #expect(look(2.9) == [])
        #expect(look(3) == ["ready, 1 scan waits"])
        output.lag = 0
        #expect(look(4) == [])
        output.lag = 2
        #expect(look(5) == [], "it counts from when they began to wait")
    }

    @Test("more troubles than rows are counted, and scans keep some")
    func many() {
        var model = Self.model
        model.scans = [.init(time: "12:00:00", symbology: "qr_code", kind: "text", text: "still here")]
        model.troubles = (1...16).map { .init(subject: "output-\($0)", text: "waiting: the host is away") }
        let words = Self.words(Self.render(model, 80, 24))
        #expect(words.contains("output-1 waiting: the host is away"))
        #expect(words.contains(/and [0-9]+ more: scanstation outputs/))
        #expect(words.contains("still here"))
    }

    private func status(_ role: LineRole, _ isActive: Bool?) -> LineStatus {
        LineStatus(role: role, line: "GPIO1", isHeld: isActive != nil, isActive: isActive, problem: nil)
    }

    @Test("real lines have a lamp each, those that the configuration doesn't name none; a lost line is dark")
    func realLines() {
        var lamps = PanelLamps()
        lamps.look(at: [status(.good, true), status(.relay, false), status(.trigger, true)])
        lamps.look(at: [status(.good, false), status(.relay, nil), status(.trigger, true)])
        #expect(lamps.picture(torch: .off).map(\.name) == ["good", "relay"])
        lamps.look(at: [status(.good, true), status(.relay, false)])
        #expect(lamps.picture(torch: .off).map(\.isOn) == [true, false])
        lamps.look(at: [status(.good, false), status(.relay, false)])
        #expect(lamps.picture(torch: .off).map(\.isOn) == [false, false])
    }

    @Test("the ready light is yellow, as the README's wiring has it, not the green of a good read")
    func colours() {
        var lamps = PanelLamps()
        lamps.look(at: [status(.good, false), status(.ready, true)])
        #expect(lamps.picture(torch: .off).map(\.colour) == [.green, .yellow])
    }

    @Test("counters are reported as people say them")
    func counters() {
        let words = Self.words(Self.render(Self.model, 80, 24))
        #expect(words.contains("1 scan "))
        #expect(words.contains("2 sessions"))
    }

    @Test("a real run shows it unless standard output is asked for; a simulated one always does")
    func chosen() {
        var settings = StationSettings()
        #expect(Desk().showsPanel(settings))
        settings.outputs = []
        #expect(Desk().showsPanel(settings))
        settings.outputs = [OutputSettings(name: "lines", kind: .standardOutput(StandardOutputSettings()))]
        #expect(!Desk().showsPanel(settings))
        #expect(Desk(hasReplayedCamera: true).showsPanel(settings))
    }

    /// A terminal that hangs up on a running station; exits as the command does.
    private static let hangUp = """
        import os, pty, signal, sys
        process, terminal = pty.fork()
        if process == 0: os.execv(sys.argv[1], sys.argv[1:])
        said = b""
        while b"ScanStation" not in said and b"the station runs" not in said: said += os.read(terminal, 65536)
        os.close(terminal)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
        """

    @Test("a terminal that hangs up ends its station, with the panel or with lines", arguments: [[], ["--plain"]])
    func hangup(_ options: [String]) async throws {
        let name = "hangup-\(UUID().uuidString.prefix(8)).sock"
        let run = try RunningExecutable(
            path: "/usr/bin/python3",
            arguments: [
                "-c", Self.hangUp, Executable.path, "run", "--simulate", "--socket", NSTemporaryDirectory() + name,
            ] + options,
            environment: ["TERM": "xterm"])
        #expect(await run.end().status == 0)
        #expect(!FileManager.default.fileExists(atPath: NSTemporaryDirectory() + name))
    }

    /// The same, and the terminal is gone before the station looks at it: its signal comes while the station starts.
    private static let hungUp = """
        import os, signal, subprocess, sys
        terminal, screen = os.openpty()
        os.close(terminal)
        process = subprocess.Popen(sys.argv[1:], stdin=screen, stderr=subprocess.PIPE)
        for line in process.stderr:
            if b"the station runs" in line: process.send_signal(signal.SIGHUP)
        sys.exit(process.wait())
        """

    @Test(
        "a terminal that hung up while the station started isn't mistaken for a service's input: its signal ends the station"
    )
    func hungUpBefore() async throws {
        let socket = NSTemporaryDirectory() + "hungup-\(UUID().uuidString.prefix(8)).sock"
        let run = try RunningExecutable(
            path: "/usr/bin/python3",
            arguments: ["-c", Self.hungUp, Executable.path, "run", "--simulate", "--plain", "--socket", socket])
        #expect(await run.end().status == 0)
    }

    /// Runs what it is given on a terminal of its own, presses q once there is a picture, and writes what came.
    private static let person = """
        import os, pty, sys
        process, terminal = pty.fork()
        if process == 0: os.execv(sys.argv[1], sys.argv[1:])
        said = b""
        while True:
            try: said += os.read(terminal, 65536)
            except OSError: break
            if b"ScanStation" in said: os.write(terminal, b"q")
        sys.stdout.buffer.write(said)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
        """

    @Test(
        "on a terminal `run` shows the panel, simulated or not, and leaves a summary on the screen",
        arguments: [[], ["--simulate"]])
    func terminal(_ options: [String]) async throws {
        let socket = NSTemporaryDirectory() + "panel-\(UUID().uuidString.prefix(8)).sock"
        let run = try RunningExecutable(
            path: "/usr/bin/python3",
            arguments: ["-c", Self.person, Executable.path, "run", "--socket", socket] + options,
            environment: ["TERM": "xterm"])
        let result = await run.end()
        #expect(result.status == 0)
        #expect(result.output.contains("\u{1b}[?1049h"))
        #expect(result.output.contains(" was stopped. Since the start:"))
        #expect(!result.output.contains(#""type":"#))
    }

    private static func journal(_ state: JournalState) -> JournalReport {
        JournalReport(id: "j", path: nil, state: state, first: 0, last: 0, scans: 0, bytes: 0)
    }
}
