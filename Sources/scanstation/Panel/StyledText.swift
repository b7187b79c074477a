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

    /// Exactly this wide: padded with blanks, or cut, which shows as an ellipsis.
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
                let columns = TextWidth.columns(of: character)
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

    /// Whether terminals may disagree about its width.
    var isUncertain: Bool { runs.contains { TextWidth.isUncertain($0.text) } }

    static func columns(of text: String) -> Int { TextWidth.columns(of: text) }
}
