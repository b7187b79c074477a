import Delivery
import Settings
import Templates
import Testing

@Suite("Keyboard layouts and what is typed")
struct KeyboardLayoutTests {
    static let kinds = KeyboardSettings.Layout.allCases.flatMap { layout in
        KeyboardSettings.Host.allCases.map { (layout, $0) }
    }

    private func typist(_ change: (inout KeyboardSettings) -> Void = { _ in }) throws -> KeyboardTypist {
        var settings = KeyboardSettings()
        change(&settings)
        return try KeyboardTypist(settings)
    }

    private func reports(_ keys: [[KeyStroke]]) -> [UInt8] { keys.joined().flatMap { $0.report + KeyStroke.release } }

    @Test("Every character of a layout comes out at the computer as itself", arguments: kinds)
    func roundTrip(layout: KeyboardSettings.Layout, host: KeyboardSettings.Host) throws {
        let table = KeyboardLayout(layout, host: host)
        for character in table.characters {
            let strokes = try #require(table.strokes(for: character))
            var reader = KeyReader(layout, host: host)
            try reader.read(reports([strokes]))
            #expect(reader.text == String(character))
            #expect(reader.isAtRest, "\(character)")
        }
    }

    @Test("Every layout types ASCII and its country's own characters", arguments: kinds)
    func complete(layout: KeyboardSettings.Layout, host: KeyboardSettings.Host) {
        let table = KeyboardLayout(layout, host: host)
        let own: [KeyboardSettings.Layout: String] = [
            .us: "", .uk: "£€¬", .de: "äöüÄÖÜß§€µ°²³´éèâ", .fr: "éèàùçêîôûëïüÊÔ€£µ§°²¤¨",
        ]
        let ascii = (0x20...0x7E as ClosedRange<UInt8>).map { Character(Unicode.Scalar($0)) }
        for character in ascii + Array(own[layout] ?? "") {
            #expect(table.strokes(for: character) != nil, "\(character)")
        }
        #expect(table.strokes(for: "ł") == nil)
        #expect((layout == .us || layout == .uk) == (table.strokes(for: "é") == nil))
    }

    @Test("Dead keys that Windows and Linux treat differently are typed for the host's system")
    func deadKeys() {
        let windows = KeyboardLayout(.fr, host: .windows)
        let linux = KeyboardLayout(.fr, host: .linux)
        #expect(windows.strokes(for: "~") == [KeyStroke(0x1F, .altGr), .space])
        #expect(linux.strokes(for: "~") == [KeyStroke(0x1F, .altGr)])
        #expect(windows.strokes(for: "¨") == [KeyStroke(0x2F, .shift), .space])
        #expect(linux.strokes(for: "¨") == [KeyStroke(0x2F, .shift), KeyStroke(0x2F, .shift)])
        // There is a key that makes it at once.
        #expect(windows.strokes(for: "^") == [KeyStroke(0x26, .altGr)])
        #expect(KeyboardLayout(.de).strokes(for: "^") == [KeyStroke(0x35), .space])
    }

    @Test("An accent is the same however it is encoded")
    func decomposed() {
        #expect(KeyboardLayout(.fr).strokes(for: "e\u{301}") == KeyboardLayout(.fr).strokes(for: "\u{E9}"))
    }

    // MARK: What is typed

    private func refusal(
        _ text: String, isLiteral: Bool = false, _ change: (inout KeyboardSettings) -> Void = { _ in }
    ) throws -> String? {
        do {
            let prefix = Template.Run(Array("x".utf8), isLiteral: true)
            _ = try typist(change).keys(for: [prefix, Template.Run(Array(text.utf8), isLiteral: isLiteral)])
            return nil
        } catch let refusal as KeyboardTypist.Refusal {
            return refusal.reason
        }
    }

    @Test(
        "What can't be typed is named with its place",
        arguments: [
            ("abé", "the keyboard layout us can't type \"é\" (U+00E9), character 4"),
            ("👍", "U+1F44D"),
            ("a\u{202E}b", "U+202E, character 3"),
            ("a\u{1D}b", "a GS (character 3)"),
            ("a\tb", "the control character TAB (character 3), which \"allowControls\" doesn't name"),
            ("\u{1B}", "the control character ESC (character 2)"),
            (String(repeating: "x", count: 4096), "4097 characters are too many to type"),
        ])
    func refused(text: String, says: String) throws {
        let reason = try #require(try refusal(text))
        #expect(reason.contains(says), "\(reason)")
    }

    @Test("Bytes that aren't text are refused")
    func bytes() throws {
        #expect(throws: KeyboardTypist.Refusal.self) {
            try typist().keys(for: [Template.Run([0x41, 0xFF], isLiteral: false)])
        }
    }

    @Test("The template's own keys are typed, and what has no key is refused")
    func literals() throws {
        #expect(try refusal("\r\t\n\u{1B}\u{8}\u{7F}\u{1D}", isLiteral: true) == nil)
        #expect(try refusal("\u{2}", isLiteral: true)?.contains("no key for the template's <STX>") == true)
    }

    @Test("CR LF is one Enter, from the template and from the data")
    func lineEnd() throws {
        let typist = try typist { $0.allowControls = ["CR", "LF"] }
        let line = Array("\r\n".utf8)
        #expect(try typist.keys(for: [Template.Run(line, isLiteral: true)]) == [[.enter]])
        #expect(try typist.keys(for: [Template.Run(line, isLiteral: false)]) == [[.enter]])
    }

    @Test("Control characters of the data are typed only where they are allowed")
    func controls() throws {
        #expect(try refusal("\t", { $0.allowControls = ["tab"] }) == nil)
        #expect(try refusal("\t\r", { $0.allowControls = ["TAB"] })?.contains("CR") == true)
        #expect(try refusal("\r\n", { $0.allowControls = ["CR"] }) != nil)
        let skipping = try typist { $0.controls = .skip }
        #expect(try skipping.keys(for: [Template.Run([0x41, 0x02, 0x09], isLiteral: false)]).count == 1)
        #expect(try refusal("\u{1D}", { $0.controls = .skip })?.contains("GS") == true)
    }

    @Test("A GS is refused, skipped or typed as Ctrl+], as it is set")
    func groupSeparator() throws {
        let run = [Template.Run([0x41, 0x1D], isLiteral: false)]
        #expect(try typist { $0.gs = .skip }.keys(for: run).count == 1)
        #expect(try typist { $0.gs = .controlKey }.keys(for: run).last == [.controlGS])
        #expect(KeyStroke.controlGS.report == [0x01, 0, 0x30, 0, 0, 0, 0, 0])
    }

    @Test("What has no key can't be allowed", arguments: ["STX", "GS", "NOPE"])
    func badAllowance(name: String) {
        #expect(throws: KeyboardTypist.Refusal.self) { try typist { $0.allowControls = [name] } }
    }
}
