import Glibc
import Linux

/// SGR colours (ECMA-48), or none.
struct Paint {
    enum Style: Int {
        case plain = 0
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case cyan = 36
        case white = 97
        /// Black on green: something that has just happened.
        case fresh = 42
    }

    let isColoured: Bool

    /// Colours on a terminal, unless the user wants none (https://no-color.org).
    static func forTerminal(_ isTerminal: Bool) -> Paint {
        Paint(isColoured: isTerminal && Environment.value("NO_COLOR") == nil)
    }

    func callAsFunction(_ style: Style, _ text: String) -> String {
        guard isColoured, style != .plain, !text.isEmpty else { return text }
        let codes = style == .fresh ? "30;42" : "\(style.rawValue)"
        return "\u{1b}[\(codes)m\(text)\u{1b}[0m"
    }
}
