import Settings
import Testing
import Yams

@testable import StationConfiguration

/// What becomes of each key when the file is read again. Nothing is ignored: it is taken over, or named as waiting for a restart.
@Suite("A configuration that is read again")
struct ReloadTests {
    /// All that may be left out is there.
    private static let running: StationSettings = {
        var settings = StationSettings()
        settings.torch = TorchSettings(line: LineSettings(line: "GPIO17"))
        settings.indicators.good = LineSettings(line: "GPIO22")
        settings.indicators.error = LineSettings(line: "GPIO23")
        settings.indicators.ready = LineSettings(line: "GPIO24")
        settings.buzzer = BuzzerSettings(drive: .line(LineSettings(line: "GPIO18")))
        settings.relay = RelaySettings(line: LineSettings(line: "GPIO26"))
        settings.trigger.button = StationSchema.button("GPIO27")
        settings.confirmation.button = StationSchema.button("GPIO5")
        return settings
    }()

    /// Each key takes one of these values, or one of the words that it names, that differs from its own.
    private static let texts = [
        "on", "off", "1", "2", "3", "90", "0.3", "5s", "3s", "30s", "100ms", "1h", "64KiB", "300MiB", "0600", "auto",
        "never", "other", "/elsewhere", "GPIO21", "1920x1080", "1536x864", "centre 50% 30%", "{minLength: 3}", "[]",
        "[other]", "[/elsewhere]", "{chip: 1, channel: 1}", "[{tcp: {port: 9100}}]", "{pan: 0.5}",
    ]

    struct Leaf: CustomTestStringConvertible, Sendable {
        var path: [String]
        var takes: String
        var isRuntime: Bool

        var testDescription: String { path.joined(separator: ".") }

        /// What is read for `rpicam` and `replay` counts with their own source only.
        var running: StationSettings {
            var settings = ReloadTests.running
            if path.starts(with: ["capture", "rpicam"]) { settings.capture.source = .rpicam(RpicamSettings()) }
            if path.starts(with: ["capture", "replay"]) { settings.capture.source = .replay(ReplaySettings()) }
            return settings
        }

        /// The running settings with another value of this key; `nil`: none of the texts is one.
        var changed: StationSettings? {
            let words = takes.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            for text in ReloadTests.texts + words {
                var findings = Findings(file: nil)
                guard var node = YAMLDocument(text, &findings).root else { continue }
                for name in path.reversed() { node = Node([(Node(name), node)]) }
                var changed = running
                StationSchema.station.read(node, "", into: &changed, isNew: true, &findings)
                if findings.sorted(.error).isEmpty, changed != running { return changed }
            }
            return nil
        }
    }

    private static let leaves: [Leaf] = {
        func flattened(_ keys: [KeyOutline], below path: [String]) -> [Leaf] {
            keys.flatMap { key in
                let full = path + [key.name]
                if case .section(let inner) = key.content { return flattened(inner, below: full) }
                return [Leaf(path: full, takes: key.takes, isRuntime: key.isRuntime)]
            }
        }
        return flattened(StationSchema.station.outline(running), below: [])
    }()

    @Test("takes over or names every key of the schema", arguments: leaves)
    func everyKey(_ leaf: Leaf) throws {
        let new = try #require(leaf.changed, "no text that this key takes and hasn't: add one")
        let running = leaf.running
        let (settings, waiting) = RuntimeSettings.reload(new, into: running)
        if waiting.isEmpty {
            #expect(settings == new)
        } else {
            #expect(settings == running)
            #expect(waiting.count == 1)
            #expect(waiting.allSatisfy { leaf.path.starts(with: $0.split(separator: ".").map(String.init)) })
            #expect(!leaf.isRuntime, "what `ctl set` changes, a file may change, too")
        }
    }

    @Test("knows every part of the settings as a key of the schema")
    func everyProperty() {
        let properties = Mirror(reflecting: StationSettings()).children.compactMap(\.label)
        #expect(Set(properties) == Set(StationSchema.station.keys.map(\.name)))
    }

    @Test(
        "names what waits by its part, or by the one key in it that can't change",
        arguments: [
            ("name", "name"), ("capture.source", "capture"), ("capture.camera", nil), ("capture.preset", nil),
            ("capture.orientation.rotation", nil), ("torch.line", "torch"), ("torch.coolDown", "torch"),
            ("torch.mode", nil), ("torch.autoLux", nil), ("indicators.ready.line", "indicators"),
            ("buzzer.line", "buzzer"), ("relay.pulse", "relay"), ("trigger.button.debounce", "trigger.button"),
            ("trigger.mode", nil), ("confirmation.button.line", "confirmation.button"), ("confirmation.policy", nil),
            ("reading.workers", nil), ("reading.symbologies.ean_13", nil), ("feedback.patterns.kept", "feedback"),
            ("payloads.schemes", "payloads"), ("journal.maxScans", "journal"), ("outputs", "outputs"),
            ("host.allowList", nil), ("control.mode", "control"), ("log.level", nil),
        ] as [(String, String?)])
    func names(_ path: String, _ name: String?) throws {
        let leaf = try #require(Self.leaves.first { $0.testDescription == path })
        let new = try #require(leaf.changed)
        #expect(RuntimeSettings.reload(new, into: leaf.running).waiting == [name].compactMap(\.self))
    }

    @Test("takes over what can change beside what can't")
    func together() {
        var new = Self.running
        new.torch?.mode = .auto
        new.torch?.maxOnTime = .seconds(5)
        new.trigger.timeout = .seconds(1)
        new.trigger.button = nil
        new.capture.source = .libcamera
        new.capture.zoom = 2
        let (settings, waiting) = RuntimeSettings.reload(new, into: Self.running)
        #expect(waiting == ["capture", "torch", "trigger.button"])
        var expected = Self.running
        expected.torch?.mode = .auto
        expected.trigger.timeout = .seconds(1)
        expected.capture.zoom = 2
        #expect(settings == expected)
    }

    @Test("leaves a part that comes or goes to the next start")
    func comesAndGoes() {
        var without = Self.running
        without.torch = nil
        for (new, running) in [(without, Self.running), (Self.running, without)] {
            let (settings, waiting) = RuntimeSettings.reload(new, into: running)
            #expect(settings == running)
            #expect(waiting == ["torch"])
        }
    }
}
