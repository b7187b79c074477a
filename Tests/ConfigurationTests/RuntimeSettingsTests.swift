import Settings
import Testing

@testable import StationConfiguration

@Suite("Settings that change while the station runs")
struct RuntimeSettingsTests {
    private let settings = StationSettings()

    @Test("take values as the file does")
    func takeValues() throws {
        var changed = try RuntimeSettings.apply(key: "capture.exposure.maxTime", value: "2ms", to: settings)
        #expect(changed.capture.exposure.maxTime == .milliseconds(2))
        changed = try RuntimeSettings.apply(key: "capture.exposure.gain", value: "4", to: changed)
        #expect(changed.capture.exposure.gain == 4)
        changed = try RuntimeSettings.apply(key: "capture.exposure.gain", value: "auto", to: changed)
        changed = try RuntimeSettings.apply(key: "capture.viewport", value: "centre 50% 30%", to: changed)
        changed = try RuntimeSettings.apply(key: "capture.viewport", value: "{width: 0.5}", to: changed)
        changed = try RuntimeSettings.apply(key: "log.level", value: "debug", to: changed)
        changed = try RuntimeSettings.apply(key: "trigger.repeatInterval", value: "never", to: changed)

        var expected = settings
        expected.capture.exposure.maxTime = .milliseconds(2)
        expected.capture.viewport.rect.width = 0.5
        expected.log.level = .debug
        expected.trigger.repeatInterval = nil
        #expect(changed == expected)
    }

    @Test(
        "refuse what the file refuses",
        arguments: [
            ("capture.zoom", "0", "capture.zoom wasn't changed: capture.zoom must be a number from 1 to 64, not \"0\""),
            ("capture.zoom", "[", "capture.zoom wasn't changed: not valid YAML: "),
            ("capture.zoom", "", "capture.zoom wasn't changed: capture.zoom has no value"),
            ("torch.mode", "on", "torch.mode wasn't changed: torch needs the key \"line\""),
            (
                "log.level", String(repeating: "x", count: 2000),
                "log.level wasn't changed: the value is longer than 1024 bytes"
            ),
            ("capture.exposure", "{gain: 4}", "\"capture.exposure\" can't be set while the station runs"),
            ("gain", "4", "\"gain\" can't be set while the station runs, did you mean \"capture.exposure.gain\"?"),
            ("control.socket", "/x", "\"control.socket\" can't be set while the station runs"),
            ("capture.zom", "2", ", did you mean \"capture.zoom\"? `scanstation ctl set --list` shows what can"),
        ])
    func refuse(_ key: String, _ value: String, _ expected: String) {
        let error = #expect(throws: RuntimeSettingError.self) {
            try RuntimeSettings.apply(key: key, value: value, to: settings)
        }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test("are checked by the rules between keys, too")
    func areChecked() {
        var settings = settings
        settings.capture.retryFirst = .seconds(20)
        let error = #expect(throws: RuntimeSettingError.self) {
            try RuntimeSettings.apply(key: "capture.zoom", value: "2", to: settings)
        }
        #expect(
            error?.message
                == "capture.zoom wasn't changed: capture.retryFirst (20s) is longer than capture.retryMax (15s)")
    }

    @Test("that belong together change together")
    func together() throws {
        let changed = try RuntimeSettings.apply(
            ["capture.retryFirst": "20s", "capture.retryMax": "1min"], to: settings)
        #expect(changed.capture.retryFirst == .seconds(20))
        let error = #expect(throws: RuntimeSettingError.self) {
            try RuntimeSettings.apply(["capture.retryFirst": "20s", "capture.zoom": "2"], to: settings)
        }
        #expect(error?.message.hasPrefix("capture.retryFirst, capture.zoom weren't changed: ") == true)
    }

    @Test("have what a form needs: shape, value and default")
    func forms() throws {
        var settings = settings
        settings.torch = TorchSettings(line: LineSettings(line: "GPIO17"))
        settings.torch?.mode = .auto
        settings.capture.exposure.gain = 4
        let forms = RuntimeSettings.forms(settings)
        #expect(forms.map(\.path).sorted() == RuntimeSettings.keys.map(\.path))
        func form(_ path: String) throws -> SettingForm { try #require(forms.first { $0.path == path }) }
        #expect(try form("torch.mode").shape == .choice(["off", "on", "auto", "session"]))
        #expect(try form("torch.mode").value == "auto")
        // There is no torch by default.
        #expect(try form("torch.mode").standard == nil)
        let gain = try form("capture.exposure.gain")
        #expect(gain.shape == .or(.number(1...64), "auto"))
        #expect((gain.value, gain.standard) == ("4", "auto"))
        #expect(gain.help == "Analogue gain.")
        #expect(try form("capture.frameRate").value == nil)
        #expect(try form("trigger.timeout").shape == .duration(.milliseconds(100)...(.seconds(3600))))
        #expect(try form("trigger.pulseCancels").shape == .toggle)
        #expect(try form("trigger.maxScans").shape == .integer(1...64))
        // Each value is taken as it is told.
        for form in forms {
            if let value = form.value {
                #expect(throws: Never.self) { try RuntimeSettings.apply(key: form.path, value: value, to: settings) }
            }
        }
    }

    @Test("leave everything else as it was, whatever is written in the example", arguments: RuntimeSettings.keys)
    func leaveTheRest(_ key: RuntimeKey) throws {
        var settings = settings
        settings.torch = TorchSettings(line: LineSettings(line: "GPIO17"))
        let outlines = StationSchema.station.outline(settings)
        var keys = outlines
        var text = ""
        for name in key.path.split(separator: ".") {
            let outline = try #require(keys.first { $0.name == name })
            switch outline.content {
            case .section(let inner): keys = inner
            case .value(let value): text = value
            case .items: keys = []
            }
        }
        // Values that aren't set show a sample, which changes them.
        let changed = try RuntimeSettings.apply(key: key.path, value: text, to: settings)
        let again = try RuntimeSettings.apply(key: key.path, value: text, to: changed)
        #expect(again == changed)
        if !["capture.frameRate", "capture.sharpness", "capture.focus.lensPosition"].contains(key.path) {
            #expect(changed == settings)
        }
    }

    @Test("are those that the parts can change")
    func areThese() {
        let paths = RuntimeSettings.keys.map(\.path)
        for path in ["capture.exposure.time", "capture.focus.mode", "capture.viewport", "capture.zoom", "trigger.mode"]
        {
            #expect(paths.contains(path))
        }
        #expect(!paths.contains { $0.hasPrefix("control") || $0.hasPrefix("outputs") || $0.contains("line") })
        #expect(paths == paths.sorted())
    }
}
