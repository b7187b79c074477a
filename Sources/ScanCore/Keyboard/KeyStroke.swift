/// One key of a USB keyboard, pressed together with modifiers and let go.
public struct KeyStroke: Hashable, Sendable {
    /// Modifier bits of a boot keyboard's report (HID 1.11, appendix B.1).
    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let control = Modifiers(rawValue: 0x01)
        public static let shift = Modifiers(rawValue: 0x02)
        /// Right Alt.
        public static let altGr = Modifiers(rawValue: 0x40)
    }

    /// Of usage page 7 (HID Usage Tables 1.12, section 10). It names the key's place, not what is printed on it.
    public var usage: UInt8
    public var modifiers: Modifiers

    public init(_ usage: UInt8, _ modifiers: Modifiers = []) {
        self.usage = usage
        self.modifiers = modifiers
    }

    public static let enter = KeyStroke(0x28)
    public static let escape = KeyStroke(0x29)
    public static let backspace = KeyStroke(0x2A)
    public static let tab = KeyStroke(0x2B)
    public static let space = KeyStroke(0x2C)
    public static let capsLock = KeyStroke(0x39)
    public static let deleteForward = KeyStroke(0x4C)
    /// Ctrl and the key that is `]` on a US keyboard. Windows makes GS of it in every layout here, as its place decides.
    public static let controlGS = KeyStroke(0x30, .control)

    /// The report that presses it: modifiers, a reserved byte, up to six keys.
    public var report: [UInt8] { [modifiers.rawValue, 0, usage, 0, 0, 0, 0, 0] }

    /// The report that releases every key.
    public static let release = [UInt8](repeating: 0, count: 8)
}
