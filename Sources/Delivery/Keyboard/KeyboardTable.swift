import Settings

/// A layout as it looks: the four rows of a keyboard, plain, with Shift and with AltGr.
///
/// A space in a row is a key that types nothing, that is dead, or that Windows and Linux don't agree on.
struct KeyboardTable: Sendable {
    /// Number row from the key left of 1, letters from Q to the two keys right of P, from A to the key left of Enter, and from
    /// the key right of left Shift, which US keyboards lack.
    typealias Rows = [String]

    var plain: Rows
    var shift: Rows
    var altGr: Rows = []
    /// Keys that wait for the next one, by their accent, on Windows and Linux alike.
    var dead: [Character: KeyStroke] = [:]
    /// Characters of the rows whose key is dead only on Windows.
    var deadOnWindows = ""

    /// Usages of the rows' keys. 0x32 is the ISO keyboard's key beside Enter; computers take it and the US keyboard's 0x31 as
    /// the same key.
    static let usages: [[UInt8]] = [
        [0x35, 0x1E, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2D, 0x2E],
        [0x14, 0x1A, 0x08, 0x15, 0x17, 0x1C, 0x18, 0x0C, 0x12, 0x13, 0x2F, 0x30],
        [0x04, 0x16, 0x07, 0x09, 0x0A, 0x0B, 0x0D, 0x0E, 0x0F, 0x33, 0x34, 0x32],
        [0x64, 0x1D, 0x1B, 0x06, 0x19, 0x05, 0x11, 0x10, 0x36, 0x37, 0x38],
    ]

    /// Letters that both systems make from a dead key and a letter. For each accent: first the letters, then what they become.
    private static let compositions: [Character: (letters: String, become: String)] = [
        "^": ("aeiouAEIOU", "âêîôûÂÊÎÔÛ"),
        "´": ("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ"),
        "`": ("aeiouAEIOU", "àèìòùÀÈÌÒÙ"),
        "¨": ("aeiouyAEIOU", "äëïöüÿÄËÏÖÜ"),
    ]

    static let us = KeyboardTable(
        plain: ["`1234567890-=", "qwertyuiop[]", "asdfghjkl;'\\", " zxcvbnm,./"],
        shift: ["~!@#$%^&*()_+", "QWERTYUIOP{}", "ASDFGHJKL:\"|", " ZXCVBNM<>?"])

    static let uk = KeyboardTable(
        plain: ["`1234567890-=", "qwertyuiop[]", "asdfghjkl;'#", "\\zxcvbnm,./"],
        shift: ["¬!\"£$%^&*()_+", "QWERTYUIOP{}", "ASDFGHJKL:@~", "|ZXCVBNM<>?"],
        altGr: ["    €        "])

    static let de = KeyboardTable(
        plain: [" 1234567890ß ", "qwertzuiopü+", "asdfghjklöä#", "<yxcvbnm,.-"],
        shift: ["°!\"§$%&/()=? ", "QWERTZUIOPÜ*", "ASDFGHJKLÖÄ'", ">YXCVBNM;:_"],
        altGr: ["  ²³   {[]}\\ ", "@ €        ~", "            ", "|      µ   "],
        dead: ["^": KeyStroke(0x35), "´": KeyStroke(0x2E), "`": KeyStroke(0x2E, .shift)])

    static let fr = KeyboardTable(
        plain: ["²&é\"'(-è_çà)=", "azertyuiop $", "qsdfghjklmù*", "<wxcvbn,;:!"],
        shift: [" 1234567890°+", "AZERTYUIOP £", "QSDFGHJKLM%µ", ">WXCVBN?./§"],
        altGr: ["  ~#{[|`\\^@]}", "  €        ¤"],
        dead: ["^": KeyStroke(0x2F), "¨": KeyStroke(0x2F, .shift)],
        deadOnWindows: "~`")

    /// A character that one key types goes before one that takes two keys.
    func strokes(host: KeyboardSettings.Host) -> [Character: [KeyStroke]] {
        var strokes: [Character: [KeyStroke]] = [" ": [.space]]
        let levels: [(rows: Rows, modifiers: KeyStroke.Modifiers)] = [(plain, []), (shift, .shift), (altGr, .altGr)]
        for (rows, modifiers) in levels {
            for (row, usages) in zip(rows, Self.usages) {
                for (character, usage) in zip(row, usages) where strokes[character] == nil {
                    let isDead = host == .windows && deadOnWindows.contains(character)
                    // US keyboards have the other of the two keys.
                    let place = usage == 0x32 && isANSI ? 0x31 : usage
                    strokes[character] = [KeyStroke(place, modifiers)] + (isDead ? [.space] : [])
                }
            }
        }
        for (accent, key) in dead {
            let alone = host == .windows ? [key, .space] : [key, key]
            if strokes[accent] == nil { strokes[accent] = alone }
            guard let (letters, become) = Self.compositions[accent] else { continue }
            for (letter, composed) in zip(letters, become) where strokes[composed] == nil {
                guard let base = strokes[letter] else { continue }
                strokes[composed] = [key] + base
            }
        }
        return strokes
    }

    private var isANSI: Bool { plain.last?.first == " " }
}
