/// A line of text in several styles, which knows how many columns of a terminal it takes.
struct StyledText {
    private struct Run {
        var style: Paint.Style
        var text: String
    }

    private var runs: [Run] = []

    init(_ text: String = "", _ style: Paint.Style = .plain) { add(text, style) }

    var columns: Int { runs.reduce(0) { $0 + Self.columns(of: $1.text) } }

    mutating func add(_ text: String, _ style: Paint.Style = .plain) {
        if !text.isEmpty { runs.append(Run(style: style, text: text)) }
    }

    mutating func add(_ other: StyledText) { runs += other.runs }

    /// Exactly this wide: filled up with blanks, or cut, which shows as an ellipsis.
    func fitted(to width: Int) -> StyledText {
        guard width > 0 else { return StyledText() }
        var fitted = StyledText()
        guard columns > width else {
            fitted = self
            fitted.add(String(repeating: " ", count: width - columns))
            return fitted
        }
        var room = width - 1
        cut: for run in runs {
            var text = ""
            for character in run.text {
                let columns = Self.columns(of: character)
                guard columns <= room else {
                    fitted.add(text, run.style)
                    break cut
                }
                room -= columns
                text.append(character)
            }
            fitted.add(text, run.style)
        }
        fitted.add("…" + String(repeating: " ", count: room))
        return fitted
    }

    func painted(_ paint: Paint) -> String { runs.map { paint($0.style, $0.text) }.joined() }

    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// Two for what East Asian fonts and emoji draw wide (Unicode's EastAsianWidth W and F, in blocks), none for a mark
    /// that combines with what was before it.
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.isASCII { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
