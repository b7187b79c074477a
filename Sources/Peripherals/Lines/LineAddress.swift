/// How the configuration names a line: `GPIO17` (the name it has on its chip), or `pinctrl-rp1:17` (the chip's label and the
/// line's offset). Never by the chip's number: that changes with the kernel.
enum LineAddress: Hashable {
    case name(String)
    case offset(label: String, offset: UInt32)

    /// `nil` for an empty text and for `:17` or `label:`. Bare digits are a Raspberry Pi's GPIO number.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (48...57).contains($0) }) {
            self = .name("GPIO\(text)")
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            self = .name(text)
            return
        }
        guard let offset = UInt32(text[text.index(after: colon)...]), colon != text.startIndex else { return nil }
        self = .offset(label: String(text[..<colon]), offset: offset)
    }
}
