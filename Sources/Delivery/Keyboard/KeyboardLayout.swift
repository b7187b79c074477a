import Settings

/// Which keys make which characters on the computer that the keyboard is plugged into: only what is certain.
///
/// The tables hold what Windows and Linux (xkeyboard-config) agree on for a layout: `us`, United Kingdom, German and French.
/// The tests decode every character by xkeyboard-config's own tables (`deploy/check-keyboard-layouts` writes them again); of
/// Windows there is nothing to test against: its places were written down from knowledge of Microsoft's layouts, and have not
/// been tried on a Windows computer yet. Characters beyond the tables can't be typed, and a scan that holds one is refused.
///
/// Dead keys wait for the next key, and here the two differ: `´` and a space make `´` on Windows, but `'` on Linux, where `´`
/// twice makes `´`; and AltGr with 2 or 7 of the French layout is dead on Windows only. So the host's system is a setting.
/// Accented letters that a layout lacks are typed as accent and letter, where both systems make the same of it.
package struct KeyboardLayout: Hashable, Sendable {
    package let name: String
    let strokes: [Character: [KeyStroke]]

    /// Every character that can be typed.
    package var characters: Set<Character> { Set(strokes.keys) }

    /// The keys for one character, one after the other; `nil` if it can't be typed. Characters are compared as Unicode has
    /// it: `é` is one however it was encoded.
    package func strokes(for character: Character) -> [KeyStroke]? { strokes[character] }

    package init(_ layout: KeyboardSettings.Layout, host: KeyboardSettings.Host = .windows) {
        let table: KeyboardTable =
            switch layout {
            case .us: .us
            case .uk: .uk
            case .de: .de
            case .fr: .fr
            }
        name = layout.rawValue
        strokes = table.strokes(host: host)
    }
}
