import Settings

/// Which keys type which characters on the computer that the keyboard is plugged into; only what is certain.
///
/// The tables contain what Windows and Linux (xkeyboard-config) agree on for a layout: `us`, United Kingdom, German and French. The tests
/// decode every character by xkeyboard-config's own tables (`deploy/check-keyboard-layouts` regenerates them). For Windows there is nothing
/// to test against: its places were written down from knowledge of Microsoft's layouts and haven't been tried on a Windows computer yet.
/// Characters outside the tables can't be typed, and a scan that contains one is refused.
///
/// Dead keys wait for the next key, and here the two differ: `´` and a space give `´` on Windows, but `'` on Linux, where `´` twice gives
/// `´`; and AltGr with 2 or 7 of the French layout is dead only on Windows. So the host's system is a setting. Accented letters that a
/// layout lacks are typed as accent and letter if both systems turn them into the same letter.
package struct KeyboardLayout: Hashable, Sendable {
    package let name: String
    let strokes: [Character: [KeyStroke]]

    /// Every character that can be typed.
    package var characters: Set<Character> { Set(strokes.keys) }

    /// The keys for one character, one after another; `nil` if it can't be typed. Characters are compared as Unicode does: `é` is the same
    /// however it was encoded.
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
