import Settings
import Templates
import Vocabulary

/// Turns what a template wrote for a scan into keys, or says why it can't. All or nothing: half a code is worse than none.
package struct KeyboardTypist: Hashable, Sendable {
    /// A longer text is refused: at 4 ms per report, typing it would take half a minute.
    package static let maxCharacters = 4096

    /// Why a text isn't typed.
    package struct Refusal: Error, Hashable, Sendable {
        package var reason: String
    }

    private let layout: KeyboardLayout
    private let gs: KeyboardSettings.GSPolicy
    private let controls: KeyboardSettings.ControlPolicy
    private let allowed: Set<UInt8>

    /// Throws if an allowed control character has no key.
    package init(_ settings: KeyboardSettings) throws(Refusal) {
        layout = KeyboardLayout(settings.layout, host: settings.host)
        gs = settings.gs
        controls = settings.controls
        var allowed: Set<UInt8> = []
        for name in settings.allowControls {
            guard let byte = ControlCharacter.byte(named: name), byte != Self.groupSeparator, Self.keys[byte] != nil
            else {
                let hint = ControlCharacter.byte(named: name) == Self.groupSeparator ? "; for GS there is \"gs\"" : ""
                throw Refusal(
                    reason:
                        "allowControls: there is no key for \(name); there are keys for TAB, CR, LF, ESC, BS and DEL"
                        + hint)
            }
            allowed.insert(byte)
        }
        self.allowed = allowed
    }

    private static let groupSeparator: UInt8 = 0x1D

    private static let keys: [UInt8: KeyStroke] = [
        0x08: .backspace, 0x09: .tab, 0x0A: .enter, 0x0D: .enter, 0x1B: .escape, 0x1D: .controlGS,
        0x7F: .deleteForward,
    ]

    /// The keys of each character, in order. Throws at the first character that can't or mustn't be typed, with its place in the text,
    /// counted from 1.
    package func keys(for runs: [Template.Run]) throws(Refusal) -> [[KeyStroke]] {
        var keys: [[KeyStroke]] = []
        var place = 0
        for run in runs {
            guard let text = String(validating: run.bytes, as: UTF8.self) else {
                throw Refusal(reason: "the code holds bytes that aren't text; a keyboard can't type them")
            }
            for character in text {
                place += 1
                if let strokes = try strokes(for: character, isLiteral: run.isLiteral, place: place) {
                    keys.append(strokes)
                }
            }
        }
        guard keys.count <= Self.maxCharacters else {
            throw Refusal(
                reason: "\(keys.count) characters are too many to type; at most \(Self.maxCharacters) are typed")
        }
        return keys
    }

    /// `nil`: the character is left out.
    private func strokes(
        for character: Character, isLiteral: Bool, place: Int
    ) throws(Refusal) -> [KeyStroke]? {
        // CR LF is one character to Swift, and one Enter to a form.
        guard let byte = character == "\r\n" ? 0x0D : character.control else {
            if let strokes = layout.strokes(for: character) { return strokes }
            throw Refusal(
                reason: "the keyboard layout \(layout.name) can't type \(Self.shown(character)), character \(place)")
        }
        let name = ControlCharacter.name(of: byte) ?? "\(byte)"
        if isLiteral {
            if let key = Self.keys[byte] { return [key] }
            throw Refusal(reason: "there is no key for the template's <\(name)>, character \(place)")
        }
        if byte == Self.groupSeparator {
            switch gs {
            case .skip: return nil
            case .controlKey: return [.controlGS]
            case .refuse:
                throw Refusal(
                    reason:
                        "the code holds a GS (character \(place)), which no keyboard can type: set \"gs\" to skip or "
                        + "controlKey, or put another character in its place with {text|gs:\"~\"}")
            }
        }
        if allowed.contains(byte), character != "\r\n" || allowed.contains(0x0A), let key = Self.keys[byte] {
            return [key]
        }
        if controls == .skip { return nil }
        throw Refusal(
            reason:
                "the code holds the control character \(name) (character \(place)), which \"allowControls\" doesn't name"
        )
    }

    /// For a person: the character itself unless it could play tricks, and its code points.
    private static func shown(_ character: Character) -> String {
        let codes = character.unicodeScalars.prefix(4).map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
        let isPlain =
            character.unicodeScalars.count == 1 && (character.isLetter || character.isNumber || character.isSymbol)
        let list = codes.joined(separator: " ")
        return isPlain ? "\"\(character)\" (\(list))" : list
    }
}

extension Character {
    /// The C0 control character or DEL.
    fileprivate var control: UInt8? {
        guard let value = asciiValue, unicodeScalars.count == 1, value < 0x20 || value == 0x7F else { return nil }
        return value
    }
}
