import Settings
import Testing

@testable import StationConfiguration

@Suite("What was probably meant, and what will hardly do what was meant")
struct AdviceTests {
    @Test(
        "A time without its unit, or with another name for it, is told how to be written",
        arguments: [
            ("trigger: {timeout: 5}", "write 5s"), ("capture: {exposure: {maxTime: 5000}}", "write 5000ms"),
            ("journal: {maxAge: 90 days}", "write 90d"), ("trigger: {timeout: 3sec}", "write 3s"),
            ("trigger: {repeatInterval: 5}", "write 5s"), ("torch: {line: 17, maxOnTime: 5 Minutes}", "write 5min"),
        ])
    func times(_ yaml: String, _ advice: String) throws {
        let found = problems(yaml)
        #expect(found.count == 1 && found[0].hasSuffix("; \(advice)"), "\(found)")
    }

    @Test("A time that can't be meant otherwise gets no advice")
    func noAdvice() {
        #expect(
            problems("trigger: {timeout: soon}") == [
                "station.yaml:1:20: trigger.timeout must be a time from 100ms to 1h, not \"soon\""
            ])
    }

    @Test("Days are a unit")
    func days() throws {
        let loaded = try StationConfiguration.parse(yaml: "journal: {maxAge: 90d}", file: "station.yaml")
        #expect(loaded.settings.journal.maxAge == .seconds(90 * 86_400))
        #expect(StationConfiguration.show(loaded.settings).contains("maxAge: 90d\n"))
    }

    @Test(
        "Names from elsewhere are told the name here",
        arguments: [
            ("capture: {preset: 1080p}", "did you mean \"high\"?"), ("capture: {preset: VGA}", "did you mean \"low\"?"),
            ("reading: {symbologies: {qr: on}}", "did you mean \"qr_code\"?"),
            ("reading: {symbologies: [qr]}", "did you mean \"qr_code\"?"),
            ("station: door-1", "did you mean \"name\"?"),
            ("outputs: [mqtt: {host: h, user: pat}]", "did you mean \"username\"?"),
            ("outputs: [mqtt: {host: h, required: on}]", "did you mean \"outputs[0].required\"?"),
            ("relayOnAccept: on", "did you mean \"host.relayOnAccept\"?"),
            ("trigger: {relayOnAccept: on}", "did you mean \"host.relayOnAccept\"?"),
            ("outputs: [{}, {mqtt: {host: h}, topic: a}]", "did you mean \"outputs[1].mqtt.topic\"?"),
        ])
    func otherNames(_ yaml: String, _ advice: String) {
        let found = problems(yaml)
        #expect(found.contains { $0.hasSuffix(advice) }, "\(found)")
    }

    @Test("Somebody who mistyped a key that is needed hears of the typing error alone")
    func typingErrorOfARequiredKey() {
        #expect(
            problems("torch:\n  lien: GPIO17") == [
                "station.yaml:2:3: unknown key \"torch.lien\", did you mean \"line\"?"
            ])
    }

    @Test(
        "What would silently do something else is a warning that says what will happen",
        arguments: [
            ("outputs: [file: {path: /a.csv, template: '{text}<LF>'}]", "1:42", "has no effect: file.lines is json"),
            ("outputs: [tcp: {port: 1, templates: {qr_code: '{text}'}}]", "1:26", "has no effect: tcp.lines is json"),
            ("host: {relayOnAccept: on}", "1:23", "there is no relay"),
            ("host: {allowList: /a}", "1:19", "host.expectsAnswer is off"),
            ("confirmation: {policy: always}", "1:24", "dropped after 10s"),
            ("torch: {line: 99}", "1:15", "a Raspberry Pi's header has GPIO0 to GPIO27"),
            ("outputs: [file: {path: ~/scans}]", "1:24", "~ is not replaced"),
            ("control: {socket: ~/s.sock}", "1:19", "~ is not replaced"),
            ("outputs: [unix: {path: ~/s.sock}]", "1:24", "~ is not replaced"),
            ("outputs: [mqtt: {host: h, tls: {verify: off}}]", "1:41", "any certificate is accepted"),
            ("outputs: [webhook: {url: 'https://h/', tls: {verify: off}}]", "1:54", "any certificate is accepted"),
            ("control: {mode: 0666}", "1:17", "every user of this machine can see the scans and send commands"),
            ("outputs: [unix: {path: /a, mode: 0777}]", "1:34", "every user of this machine"),
        ])
    func silentMistakes(_ yaml: String, _ place: String, _ says: String) throws {
        let loaded = try StationConfiguration.parse(yaml: yaml, file: "station.yaml")
        let found = loaded.warnings.map(\.description)
        #expect(
            found.contains { $0.hasPrefix("station.yaml:\(place): warning: ") && $0.contains(says) }, "\(found)")
    }

    @Test(
        "The same settings with what they need are no warning",
        arguments: [
            "outputs: [file: {path: /a.csv, lines: template, template: '{text}<LF>'}]",
            "host: {relayOnAccept: on, expectsAnswer: on, allowList: /a}\nrelay: {line: 26}",
            "confirmation: {policy: always, button: {line: 5}}", "control: {mode: 0660}",
            "outputs: [mqtt: {host: h, tls: {}}]",
        ])
    func fine(_ yaml: String) { #expect(problems(yaml) == []) }

    @Test("What others find out about the settings stands at its place in the file, in its order")
    func located() throws {
        let yaml = "control:\n  group: nobody-at-all\noutputs:\n- webhook:\n    url: https://h\n    headers: {A: b}\n"
        let loaded = try StationConfiguration.parse(yaml: yaml, file: "s.yaml")
        let error = #expect(throws: ConfigurationErrors.self) {
            try loaded.with([
                SettingProblem(at: "outputs[0].webhook.headers.A", "bad header"),
                SettingProblem(at: "outputs[0].webhook.tls", "not given"),
                SettingProblem(.warning, at: "control.mode", "odd"), SettingProblem(at: "control.group", "no group"),
            ])
        }
        #expect(
            error?.errors.map(\.description) == [
                "s.yaml:2:10: control.group: no group", "s.yaml:4:3: outputs[0].webhook.tls: not given",
                "s.yaml:6:18: outputs[0].webhook.headers.A: bad header",
            ])
        #expect(error?.warnings.map(\.description) == ["s.yaml:1:1: warning: control.mode: odd"])
    }

    @Test("What the command line said instead has no place in the file")
    func overruled() throws {
        var read = try StationConfiguration.parse(yaml: "control: {socket: /a}", file: "s.yaml")
        read.overrule("control.socket")
        let loaded = read
        let problem = SettingProblem(at: "control.socket", "too long")
        let error = #expect(throws: ConfigurationErrors.self) { try loaded.with([problem]) }
        #expect(error?.errors.map(\.description) == ["control.socket: too long"])
    }
}
