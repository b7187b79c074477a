import Delivery
import Settings
import Templates

/// What a code types into a computer: letters for layout, system, what becomes of control characters, which are allowed; then
/// what the code holds.
enum KeyboardTarget {
    private static let allowable: [(name: String, byte: UInt8, key: KeyStroke)] = [
        ("TAB", 0x09, .tab), ("CR", 0x0D, .enter), ("LF", 0x0A, .enter), ("ESC", 0x1B, .escape),
        ("BS", 0x08, .backspace), ("DEL", 0x7F, .deleteForward),
    ]

    static func check(_ input: inout FuzzInput) throws {
        var settings = KeyboardSettings()
        settings.layout = input.choice(of: KeyboardSettings.Layout.allCases)
        settings.host = input.choice(of: KeyboardSettings.Host.allCases)
        settings.gs = input.choice(of: KeyboardSettings.GSPolicy.allCases)
        settings.controls = input.choice(of: KeyboardSettings.ControlPolicy.allCases)
        let bits = input.byte()
        let allowed = allowable.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
        settings.allowControls = allowed.map(\.name)
        let content = input.all()

        let typist = try KeyboardTypist(settings)
        let keys: [[KeyStroke]]
        do throws(KeyboardTypist.Refusal) {
            keys = try typist.keys(for: [Template.Run(content, isLiteral: false)])
        } catch {
            try Lines.demandPlain(error.reason)
            try demand(error.reason.utf8.count <= 512, "a refusal is short: \(error.reason)")
            return
        }
        try demand(keys.count <= KeyboardTypist.maxCharacters, "no more is typed than the limit")
        for stroke in keys.joined() {
            if let control = allowable.first(where: { $0.key.usage == stroke.usage }) {
                let permitted = allowed.contains { $0.key.usage == stroke.usage && content.contains($0.byte) }
                try demand(permitted, "a control key is typed only if it is allowed: \(control.name)")
            }
            guard stroke.modifiers.contains(.control) else {
                try demand(stroke.modifiers.isSubset(of: [.shift, .altGr]), "Shift and AltGr are all that is held")
                continue
            }
            try demand(
                stroke == .controlGS && settings.gs == .controlKey && content.contains(0x1D),
                "Ctrl is held for nothing but a GS: \(stroke)")
        }
    }
}
