/// One key of a USB keyboard, pressed together with modifiers and released.
package struct KeyStroke: Hashable, Sendable {
    /// Modifier bits of a boot keyboard's report (HID 1.11, appendix B.1).
    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let control = Modifiers(rawValue: 0x01)
        package static let shift = Modifiers(rawValue: 0x02)
        /// Right Alt.
        package static let altGr = Modifiers(rawValue: 0x40)
    }

    /// A usage of page 7 (HID Usage Tables 1.12, section 10). It names the key's place, not what is printed on it.
    package var usage: UInt8
    package var modifiers: Modifiers

    package init(_ usage: UInt8, _ modifiers: Modifiers = []) {
        self.usage = usage
        self.modifiers = modifiers
    }

    package static let enter = KeyStroke(0x28)
    package static let escape = KeyStroke(0x29)
    package static let backspace = KeyStroke(0x2A)
    package static let tab = KeyStroke(0x2B)
    package static let space = KeyStroke(0x2C)
    package static let capsLock = KeyStroke(0x39)
    package static let deleteForward = KeyStroke(0x4C)
    /// Ctrl and the key that is `]` on a US keyboard. Windows turns it into GS in every layout here, because the key's place decides.
    package static let controlGS = KeyStroke(0x30, .control)

    /// The report that presses it: modifiers, a reserved byte, up to six keys.
    package var report: [UInt8] { [modifiers.rawValue, 0, usage, 0, 0, 0, 0, 0] }

    /// The report that releases every key.
    package static let release = [UInt8](repeating: 0, count: 8)
}
