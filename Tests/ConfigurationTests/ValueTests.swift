import Settings
import Testing
import Vocabulary

@testable import StationConfiguration

@Suite("Values as text")
struct ValueTests {
    @Test(
        "Text that isn't a time is reported in the same words as on the command line and in answers",
        arguments: ["soon", "500", "2h", "-5ms"])
    func noTimes(_ text: String) {
        let complaint = DurationText.complaint(text, in: RelaySettings.pulses)
        let told = problems("relay: {line: GPIO26, pulse: \"\(text)\"}")
        #expect(told.count == 1 && told[0].hasSuffix("relay.pulse \(complaint)"), "\(told)")
    }

    @Test(
        "Viewports have short forms",
        arguments: [
            ("full", Viewport.full), ("full entire", Viewport(rule: .entire)),
            ("centre 50% 25%", Viewport(rect: Rect(x: 0.25, y: 0.375, width: 0.5, height: 0.25))),
            ("center 50% 25% entire", Viewport(rect: Rect(x: 0.25, y: 0.375, width: 0.5, height: 0.25), rule: .entire)),
            ("{y: 0.5, height: 0.5}", Viewport(rect: Rect(x: 0, y: 0.5, width: 1, height: 0.5))),
        ])
    func viewports(_ text: String, _ expected: Viewport) throws {
        #expect(try parsed("capture: {viewport: \(text)}").capture.viewport == expected)
    }

    @Test(
        "What is no viewport is refused",
        arguments: [
            "centre", "centre 50%", "centre 50 30", "centre 0% 30%", "centre 101% 5%", "middle 5% 5%", "[1, 2]",
            "{width: 0}",
        ])
    func noViewports(_ text: String) { #expect(problems("capture: {viewport: \(text)}").count == 1) }

    @Test("The console's address is a word or an IP address, and its names are host names")
    func console() throws {
        #expect(try parsed("console: {address: network}").console.address == .network)
        #expect(try parsed("console: {address: auto}").console.address == .automatic)
        #expect(try parsed("console: {address: 192.0.2.7}").console.address == .literal("192.0.2.7"))
        #expect(try parsed("console: {address: \"::1\"}").console.address == .literal("::1"))
        #expect(try parsed("console: {names: Scanner.Example}").console.names == ["scanner.example"])
        for text in [
            "address: everywhere", "address: 192.0.2.777", "port: 0", "port: 65536", "names: [\"a b\"]",
            "names: [\"a.example:8080\"]", "names: [\"-a.example\"]", "names: [\"a..b\"]", "user: \"\"",
        ] {
            #expect(problems("console: {\(text)}").count == 1, "\(text)")
        }
    }

    @Test("A console that moves a door that isn't there is warned of, and two sockets at one place are refused")
    func consoleChecks() {
        #expect(problems("console: {door: on}").first?.contains("console.door has no effect") == true)
        #expect(problems("{console: {door: on}, relay: {line: GPIO26}}").isEmpty)
        #expect(problems("{console: {socket: /run/a}, control: {socket: /run/a}}").count == 1)
    }

    @Test("File modes are octal however they are written", arguments: ["0660", "\"0660\"", "0o660", "660"])
    func fileModes(_ text: String) throws { #expect(try parsed("control: {mode: \(text)}").control.mode == 0o660) }

    @Test("Lines may be numbers of GPIO pins, names, or chip and offset")
    func lines() throws {
        #expect(try parsed("torch: {line: 17}").torch?.line.line == "GPIO17")
        #expect(try parsed("torch: {line: \"pinctrl-rp1:17\"}").torch?.line.line == "pinctrl-rp1:17")
        #expect(try parsed("torch: {line: pinctrl-rp1:17}").torch?.line.line == "pinctrl-rp1:17")
        for text in ["-1", "a:b", "a:1:2", "\"GPIO 17\"", "\":1\"", "\"\"", "1234"] {
            #expect(problems("torch: {line: \(text)}").count == 1, "\(text)")
        }
    }

    @Test("A list of symbologies means exactly these, a mapping changes the standard ones")
    func symbologies() throws {
        let exact = try parsed("reading: {symbologies: [ean_13, databar]}").reading.symbologies
        #expect(exact == [.ean13: .standard(for: .ean13), .dataBar: .standard(for: .dataBar)])

        let changed = try parsed(
            "reading: {symbologies: {databar: on, itf: off, code_39: {minLength: 4, checkDigit: verify}}}")
        var expected = ReadingSettings.defaultSymbologies
        expected[.dataBar] = .standard(for: .dataBar)
        expected[.itf] = nil
        expected[.code39]?.minLength = 4
        expected[.code39]?.checkDigit = .verify
        #expect(changed.reading.symbologies == expected)
    }

    @Test("Outputs without a name get one that is free")
    func outputNames() throws {
        let yaml = """
            outputs:
            - unix: {path: /a}
            - {unix: {path: /b}, queue: 7}
            - {unix: {path: /c}, name: unix-2}
            - stdout: {format: text}
            """
        let outputs = try parsed(yaml).outputs
        #expect(outputs.map(\.name) == ["unix", "unix-3", "unix-2", "stdout"])
        #expect(outputs[1].queue == 7)
    }

    @Test("A feedback pattern is steps of light, time and tone")
    func feedback() throws {
        let settings = try parsed(
            "feedback: {patterns: {kept: [good 80ms tone 2700, none 50ms, error 1s tone], read: []}}")
        #expect(
            settings.feedback.patterns == [
                .kept: FeedbackPattern([
                    .init(light: .good, toneHertz: 2700, duration: .milliseconds(80)),
                    .init(duration: .milliseconds(50)),
                    .init(light: .error, toneHertz: 1, duration: .seconds(1)),
                ]),
                .read: FeedbackPattern([]),
            ])
    }

    @Test("rpicam-vid has its section, which may be left out")
    func rpicam() throws {
        #expect(try parsed("capture: {source: rpicam}").capture.source == .rpicam(RpicamSettings()))
        let yaml = "capture: {source: rpicam, rpicam: {program: libcamera-vid, arguments: [--hflip, --ev, -1]}}"
        let settings = try parsed(yaml)
        #expect(
            settings.capture.source
                == .rpicam(RpicamSettings(program: "libcamera-vid", arguments: ["--hflip", "--ev", "-1"])))
    }

    @Test("Replay has its section, and nil has its word")
    func replayAndNil() throws {
        let yaml = """
            capture: {source: replay, replay: {paths: scenes/*.png, unpaced: on, movement: {blur: 0.5}}}
            torch: {line: GPIO17, maxOnTime: unlimited}
            trigger: {repeatInterval: never}
            """
        let settings = try parsed(yaml)
        var replay = ReplaySettings(paths: ["scenes/*.png"])
        replay.isUnpaced = true
        replay.movement = .simulated(pan: 0, zoom: 0, blur: 0.5, noise: 0, exposure: 0, seed: 1)
        #expect(settings.capture.source == .replay(replay))
        #expect(settings.torch?.maxOnTime == nil)
        #expect(settings.trigger.repeatInterval == nil)
    }

    private func parsed(_ yaml: String) throws -> StationSettings {
        try StationConfiguration.parse(yaml: yaml, file: "f").settings
    }
}
