import Glibc
import Settings
import Testing
import Vocabulary

@testable import StationConfiguration

@Suite("The commented example")
struct ExampleTests {
    @Test("gives the defaults, without a word of warning")
    func givesTheDefaults() throws {
        let loaded = try StationConfiguration.parse(yaml: StationConfiguration.example, file: "station.yaml")
        #expect(loaded.settings == StationSettings())
        #expect(loaded.warnings.isEmpty)
    }

    @Test("is the one in deploy/ (SCANSTATION_UPDATE_EXAMPLE=1 writes it again)")
    func isTheOneInDeploy() throws {
        let path = repositoryPath("deploy/station.yaml")
        if getenv("SCANSTATION_UPDATE_EXAMPLE") != nil { try write(StationConfiguration.example, to: path) }
        #expect(try read(path) == StationConfiguration.example)
    }

    @Test("describes every key of the table")
    func describesEveryKey() throws {
        let lines = StationConfiguration.example.split(separator: "\n").map { $0.drop { " #-".contains($0) } }
        let keys = allKeys(StationSchema.station.outline(StationSettings()))
        // The list of outputs leaves some out; all of theirs must be somewhere all the same.
        for key in keys + allKeys(StationSchema.output.outline(OutputDraft(StationSettings().outputs[0]))) {
            #expect(lines.contains { $0.hasPrefix("\(key):") }, "\(key)")
        }
    }

    @Test(
        "what the console offers for a new output is accepted as it stands, and says where scans go without a password",
        arguments: OutputSettings.kinds.map { $0.key })
    func starters(key: String) throws {
        let kind = try #require(OutputSettings.kinds.first { $0.key == key })
        let item = kind.starter.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        let loaded = try StationConfiguration.parse(yaml: "outputs:\n" + item, file: "station.yaml")
        #expect(loaded.warnings.isEmpty)
        let output = try #require(loaded.settings.outputs.first)
        #expect(loaded.settings.outputs.count == 1 && type(of: output.kind.settings).key == key)
        #expect(output.kind.settings.place != nil || key == StandardOutputSettings.key)
        #expect(kind.starter.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test(
        "of a webhook's URL, people see the server",
        arguments: [
            ("https://stock.example/scans?key=secret", "https://stock.example"),
            ("http://me:secret@10.0.0.2:8080/", "http://10.0.0.2:8080"),
            ("https://hooks.example", "https://hooks.example"),
            ("https://h.example?key=secret", "https://h.example"), ("https://h.example#a@b", "https://h.example"),
        ])
    func webhookPlace(url: String, place: String) {
        #expect(WebhookSettings(url: url).place == place)
    }

    @Test("is readable on a narrow terminal")
    func isReadable() {
        for line in StationConfiguration.example.split(separator: "\n") {
            // A feedback pattern is one value, and four low beeps take their room.
            let isPattern = line.contains(": [") && line.contains("ms, ")
            #expect(line.count <= (isPattern ? 160 : 120), "\(line)")
        }
    }

    @Test("can be switched on key by key", arguments: SwitchedOff.all)
    func canBeSwitchedOn(_ key: SwitchedOff) throws {
        let yaml = SwitchedOff.text(switchingOn: key)
        let loaded = try StationConfiguration.parse(yaml: yaml, file: "station.yaml")
        // Switched on, a section has to come out of the file, even if all of its values are defaults.
        if key.isTopLevel { #expect(loaded.settings != StationSettings()) }
    }

    @Test("can be switched on as a whole, but for what excludes each other")
    func canBeSwitchedOnAsAWhole() throws {
        let lines = StationConfiguration.example.split(separator: "\n", omittingEmptySubsequences: false)
        let yaml = lines.map { line in
            line.contains("#pwm:") ? String(line) : SwitchedOff.switchedOn(String(line))
        }
        let loaded = try StationConfiguration.parse(yaml: yaml.joined(separator: "\n"), file: "station.yaml")
        #expect(loaded.settings.torch != nil)
        #expect(loaded.settings.feedback.patterns.count == FeedbackCue.allCases.count)
        #expect(
            loaded.settings.outputs.map(\.name) == [
                "stdout", "serial", "unix", "tcp", "mqtt", "webhook", "keyboard", "file",
            ])
    }

    @Test("has each kind of output, below the key that the kind says")
    func kindsOfOutputs() throws {
        let kinds = OutputSettings.kinds.map { $0.key }
        #expect(StationSchema.output.keys.map(\.name).prefix { $0 != "name" } == kinds[...])
        for kind in OutputSettings.kinds {
            let settings = kind.sample.kind.settings
            #expect(type(of: settings) == kind)
            // What a kind says of its files and of what only one can have is about keys that it has.
            let keys = allKeys(StationSchema.output.outline(OutputDraft(OutputSettings(name: "", kind: settings.kind))))
            for key in settings.files.map(\.key) + [settings.exclusive?.key ?? ""] where !key.isEmpty {
                #expect(keys.contains(String(key.split(separator: ".").last ?? "")), "\(kind.key) has no key \(key)")
            }
        }
    }

    private func allKeys(_ outlines: [KeyOutline]) -> [String] {
        outlines.flatMap { outline -> [String] in
            switch outline.content {
            case .value: [outline.name]
            case .section(let keys): [outline.name] + allKeys(keys)
            case .items(let items): [outline.name] + items.flatMap(allKeys)
            }
        }
    }
}

/// A line of the example with a key that is switched off.
struct SwitchedOff: Sendable, CustomTestStringConvertible {
    let index: Int
    let indent: Int
    let text: String

    var testDescription: String { "line \(index + 1): \(text)" }
    var isTopLevel: Bool { indent == 0 }

    private static let lines = StationConfiguration.example.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)

    /// The line without its `#`, if that is directly before a key.
    static func switchedOn(_ line: String) -> String {
        let indent = line.prefix { $0 == " " }
        let rest = line.dropFirst(indent.count)
        guard rest.hasPrefix("#"), let next = rest.dropFirst().first, next != " " else { return line }
        return String(indent + rest.dropFirst())
    }

    static let all: [SwitchedOff] = lines.enumerated().compactMap { index, line in
        let text = switchedOn(line)
        guard text != line else { return nil }
        // A bullet's key stands two columns to the right.
        return SwitchedOff(index: index, indent: text.prefix { $0 == " " }.count, text: text)
    }

    /// The example with this key on, the switched-off sections around it, and the first key of each, which is the required
    /// one wherever a section has such.
    static func text(switchingOn key: SwitchedOff) -> String {
        var on: Set = [key.index]
        var indent = key.indent
        switchOnFirst(in: key, &on)
        for parent in all.reversed() where parent.index < key.index && parent.indent < indent {
            guard isInside(key, parent) else { break }
            on.insert(parent.index)
            indent = parent.indent
            // There is one buzzer, active or passive: only one of them is switched on.
            if !key.text.contains("pwm:") { switchOnFirst(in: parent, &on) }
        }
        return lines.enumerated().map { on.contains($0) ? switchedOn($1) : $1 }.joined(separator: "\n")
    }

    private static func switchOnFirst(in section: SwitchedOff, _ on: inout Set<Int>) {
        guard section.text.hasSuffix(":"), let first = all.first(where: { $0.index > section.index }) else { return }
        on.insert(first.index)
        switchOnFirst(in: first, &on)
    }

    private static func isInside(_ key: SwitchedOff, _ parent: SwitchedOff) -> Bool {
        lines[parent.index...key.index].dropFirst().allSatisfy { line in
            let text = switchedOn(line)
            return text.isEmpty || text.prefix { $0 == " " }.count > parent.indent
        }
    }
}
