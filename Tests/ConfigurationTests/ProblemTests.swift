import Testing
import Vocabulary

@testable import StationConfiguration

@Suite("Problems in a file")
struct ProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let yaml: String
        let problems: [String]
        init(_ yaml: String, _ problems: String...) {
            self.yaml = yaml
            self.problems = problems
        }
        var testDescription: String { yaml }
    }

    @Test(
        "Unknown keys are reported with line, column, and what was probably meant",
        arguments: [
            Case("torch:\n  lien: GPIO17\n  line: GPIO17", "2:3: unknown key \"torch.lien\", did you mean \"line\"?"),
            Case("catpure: {}", "1:1: unknown key \"catpure\", did you mean \"capture\"?"),
            Case("capture:\n\n  frame_rate: 5", "3:3: unknown key \"capture.frame_rate\", did you mean \"frameRate\"?"),
            Case(
                "payloads: {xyzzyplugh: 1}",
                "1:12: unknown key \"payloads.xyzzyplugh\"; payloads takes schemes, revealSecrets"),
            Case(
                "reading: {symbologies: {EAN13: on}}",
                "1:25: unknown key \"reading.symbologies.EAN13\", did you mean \"ean_13\"?"),
            Case(
                "outputs:\n- stdout:\n    fromat: json",
                "3:5: unknown key \"outputs[0].stdout.fromat\", did you mean \"format\"?"),
            Case("? [a]\n: 1", "1:3: a key must be a word"),
        ])
    func unknownKeys(_ example: Case) { check(example) }

    @Test(
        "Values of the wrong kind are reported with what is taken",
        arguments: [
            Case("capture: {idle: sometimes}", "1:17: capture.idle must be one of run, slow, stop, not \"sometimes\""),
            Case(
                "trigger: {mode: plus}",
                """
                1:17: trigger.mode must be one of presentation, level, pulse, continuous, host, not "plus"; \
                did you mean "pulse"?
                """),
            Case(
                "reading: {workers: two}",
                "1:20: reading.workers must be a whole number from 1 to 4, not \"two\""),
            Case("reading: {workers: 5}", "1:20: reading.workers must be a whole number from 1 to 4, not \"5\""),
            Case("reading: {workers: [1]}", "1:20: reading.workers must be a whole number from 1 to 4, not a list"),
            Case("reading: {workers: {}}", "1:20: reading.workers must be a whole number from 1 to 4, not a mapping"),
            Case(
                "reading: {workers: }",
                "1:20: reading.workers has no value: give it a whole number from 1 to 4, or leave the key out"),
            Case("capture: {zoom: nan}", "1:17: capture.zoom must be a number from 1 to 64, not \"nan\""),
            Case(
                "capture: {frameTimeout: 5}",
                "1:25: capture.frameTimeout must be a time from 100ms to 60s, not \"5\"; write 5s"),
            Case(
                "capture: {exposure: {gain: 100}}",
                "1:28: capture.exposure.gain must be a number from 1 to 64, or auto, not \"100\""),
            Case("capture: yes", "1:10: capture must be a mapping with the keys \(captureKeys)"),
            Case("- capture", "1:1: the file must be a mapping with the keys \(stationKeys)"),
            Case(
                "control: {mode: 0888}", "1:17: control.mode must be an octal file mode from 0000 to 0777, not \"0888\""
            ),
            Case("name: \"a\\eb\"", "1:7: name must be a name (printable, 1 to 64 bytes), not \"a\\u{1b}b\""),
            Case(
                "payloads: {schemes: [\"my:\", ok]}",
                "1:22: payloads.schemes[0] must be a URL scheme such as myapp, without the colon, not \"my:\""),
            Case(
                "feedback: {patterns: {kept: [good 80ms, blue 5ms]}}",
                """
                1:41: feedback.patterns.kept[1] must be a light (none, good, error), a time and perhaps a tone, such as \
                good 80ms tone 2700, not "blue 5ms"
                """),
            Case(
                "feedback: {patterns: {kept: [good 8s, none 3s]}}",
                "1:29: feedback.patterns.kept: a pattern lasts at most 10s, this one 11s"),
            Case(
                "outputs: stdout",
                "1:10: outputs must be a list with one item for each output, such as \"- stdout: {format: json}\""),
        ])
    func wrongValues(_ example: Case) { check(example) }

    @Test(
        "Sections that need a key say so",
        arguments: [
            Case(
                "torch: {mode: on}",
                "1:1: torch needs the key \"line\": a GPIO line such as GPIO17, 17 for short, or pinctrl-rp1:17"),
            Case(
                "buzzer: {volume: 0.5}",
                "1:1: buzzer needs the key \"line\" (active buzzer) or \"pwm\" (passive buzzer)"),
            Case(
                "outputs:\n- name: x",
                "2:3: outputs[0] needs a kind: serial, unix, stdout, tcp, mqtt, webhook, keyboard or file"),
            Case(
                "outputs:\n- {stdout: {}, unix: {path: /x}}",
                "2:3: outputs[0] has unix and stdout: make them two items of the list"),
            Case(
                "outputs:\n- serial:",
                "2:3: outputs[0].serial needs the key \"device\": a path (printable, 1 to 4095 bytes)"),
        ])
    func missingKeys(_ example: Case) { check(example) }

    @Test(
        "Settings that don't fit together are errors",
        arguments: [
            Case(
                "torch: {line: GPIO17}\nindicators:\n  good: 17",
                "3:9: indicators.good.line and torch.line both name GPIO17: give each a line of its own"),
            Case(
                "torch: {line: \"pinctrl-rp1:17\"}\nbuzzer: {line: GPIO17}",
                "2:16: buzzer.line and torch.line both name GPIO17: give each a line of its own"),
            Case(
                "confirmation:\n  policy: always\n  acceptsCommand: off",
                """
                2:11: confirmation.policy is always, but nothing can confirm: set confirmation.button, \
                or confirmation.acceptsCommand: on
                """),
            Case("relay: {line: GPIO26, pulse: 20s}", "1:30: relay.pulse (20s) is longer than relay.maxPulse (10s)"),
            Case(
                "reading: {symbologies: {itf: {minLength: 9, maxLength: 8}}}",
                "1:42: itf can't be read: minLength (9) is more than maxLength (8)"),
            Case("reading: {symbologies: []}", "1:11: reading.symbologies leaves nothing to read: switch one on"),
            Case(
                "outputs:\n- {stdout: {}, name: a}\n- {unix: {path: /x}, name: a}",
                "3:28: outputs[1] and outputs[0] are both named \"a\""),
            Case(
                "control: {socket: /x}\noutputs:\n- unix: {path: /x}",
                "3:16: outputs[0].unix.path and control.socket both name /x"),
            Case(
                "journal: {folder: /s}\noutputs:\n  - file: {path: /s/../s/journal.db}",
                "3:18: outputs[0].file.path is the journal, /s/journal.db (/s/../s/journal.db leads there): name another path"
            ),
            Case(
                "capture: {retryFirst: 20s}",
                "1:23: capture.retryFirst (20s) is longer than capture.retryMax (15s)"),
            Case(
                "capture:\n  viewport: {x: 0.6, width: 0.5}",
                "2:13: capture.viewport reaches beyond the frame: x + width and y + height must be at most 1"),
            Case("capture: {viewport: {x: 1.5}}", "1:25: capture.viewport.x must be a number from 0 to 1, not \"1.5\""),
            Case(
                "buzzer:\n  line: GPIO18\n  pwm: {chip: 0, channel: 0}",
                """
                3:3: buzzer.line and buzzer.pwm can't be combined: an active buzzer has a line, a passive one pwm
                """),
        ])
    func misfits(_ example: Case) { check(example) }

    @Test(
        "Settings that have no effect, or a surprising one, are warnings",
        arguments: [
            Case(
                "trigger: {mode: pulse}",
                """
                1:17: warning: trigger.mode is pulse but there is no trigger.button: only the command "trigger" will \
                start a session
                """),
            Case(
                "trigger: {button: {line: GPIO27}}",
                "1:11: warning: trigger.button has no effect: trigger.mode is presentation, not level or pulse"),
            Case(
                "relay: {line: GPIO4}",
                """
                1:15: warning: GPIO4 is pulled up while the Pi starts, which switches relay on until the station runs: \
                take one of GPIO9 to GPIO27, or fit a strong resistor against it
                """),
            Case(
                "capture: {rpicam: {program: x}}",
                "1:11: warning: capture.rpicam has no effect: capture.source is automatic, not rpicam"),
            Case(
                "capture: {replay: {loops: off}}",
                "1:11: warning: capture.replay has no effect: capture.source is automatic, not replay"),
            Case(
                "capture: {exposure: {time: 50ms}}",
                """
                1:28: warning: capture.exposure.time (50ms) is longer than a frame at 30 frames a second, which slows \
                the camera down
                """),
            Case(
                "reading: {symbologies: {qr_code: {addOns: on}}}",
                "1:43: warning: addOns has no effect on qr_code, only on EAN and UPC"),
            Case(
                "indicators: {good: GPIO14}\noutputs: [{serial: {device: /dev/serial0}}]",
                """
                1:20: warning: indicators.good.line is a pin of the UART /dev/serial0, which output "serial" uses
                """),
        ])
    func warnings(_ example: Case) { check(example) }

    @Test("A template's mistakes are found before a scan is")
    func templates() {
        let found = problems("outputs: [serial: {device: /dev/ttyS0, template: 'ab{txt}'}]")
        let expected = "station.yaml:1:50: outputs[0].serial.template, character 3: unknown field {txt}"
        #expect(found.count == 1 && found[0].hasPrefix(expected), "\(found)")
    }

    @Test(
        "A line end or a control character that is quoted from the file stays one line",
        arguments: ["\\u2028", "\\u2029", "\\x85", "\\n", "\\e"])
    func oneLine(escape: String) {
        for yaml in [
            "outputs: [serial: {device: /dev/ttyS0, template: \"{t\(escape)}\"}]",
            "outputs: [serial: {device: /dev/ttyS0, template: \"{text|t\(escape)}\"}]",
            "trigger: {mode: \"t\(escape)\"}",
            "\"t\(escape)\": 1",
            "outputs: [serial: {device: /dev/ttyS0, templates: {\"t\(escape)\": a}}]",
        ] {
            let found = problems(yaml)
            #expect(found.count == 1 && found.allSatisfy(\.isOneLine), "\(found)")
        }
    }

    @Test("All of them are reported, in the order of the file")
    func allAreReported() {
        let yaml = """
            trigger:
              mode: plus
            capture:
              zoom: 0
              nose: 1
            relay: {line: GPIO26, pulse: 20s}
            """
        #expect(
            problems(yaml).map { $0.prefix { $0 != " " } } == [
                "station.yaml:2:9:", "station.yaml:4:9:", "station.yaml:5:3:", "station.yaml:6:30:",
            ])
    }

    @Test("A hundred are enough")
    func aHundredAreEnough() {
        let found = problems((0..<300).map { "key\($0): 1\n" }.joined())
        #expect(found.count == Findings.maxProblems + 1)
        #expect(found.last == "station.yaml: 200 more are not shown")
    }

    private func check(_ example: Case) {
        #expect(problems(example.yaml) == example.problems.map { "station.yaml:" + $0 })
    }
}

private let stationKeys = StationSchema.station.keys.map(\.name).joined(separator: ", ")
private let captureKeys = StationSchema.capture.keys.map(\.name).joined(separator: ", ")
