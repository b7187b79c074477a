/// Text in lines of a terminal.
enum TextWrap {
    /// Breaks between words, or within one that is longer than a line. Text that doesn't fit into `maxLines` ends in an ellipsis.
    static func lines(_ text: String, width: Int, maxLines: Int) -> [String] {
        guard width > 0, maxLines > 0 else { return [] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").flatMap({ pieces(of: $0, width: width) }) {
            if line.isEmpty {
                line = word
            } else if TextWidth.columns(of: line) + 1 + TextWidth.columns(of: word) <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        if !line.isEmpty { lines.append(line) }
        guard lines.count > maxLines else { return lines }
        // Longer than the room for it, so it is cut there.
        let rest = lines[(maxLines - 1)...].joined(separator: " ")
        return lines.prefix(maxLines - 1) + [rest]
    }

    /// Cells side by side with three blanks between them, or fewer if that makes them fit; else in several lines. When `maxLines` aren't
    /// enough, the last cell is the last to go.
    static func flow(_ cells: [StyledText], width: Int, maxLines: Int) -> [StyledText] {
        for gap in [3, 2, 1] where columns(of: cells, gap: gap) <= width { return join(cells, gap: gap) }
        var cells = cells
        while true {
            let rows = rows(of: cells, width: width)
            if rows.count <= maxLines || cells.count < 2 { return rows.flatMap { join($0, gap: 2) } }
            cells.remove(at: cells.count - 2)
        }
    }

    private static func rows(of cells: [StyledText], width: Int) -> [[StyledText]] {
        var rows: [[StyledText]] = []
        for cell in cells {
            if let last = rows.last, columns(of: last + [cell], gap: 2) <= width {
                rows[rows.count - 1].append(cell)
            } else {
                rows.append([cell])
            }
        }
        return rows
    }

    private static func columns(of cells: [StyledText], gap: Int) -> Int {
        cells.reduce(0) { $0 + $1.columns } + gap * max(0, cells.count - 1)
    }

    private static func join(_ cells: [StyledText], gap: Int) -> [StyledText] {
        guard !cells.isEmpty else { return [] }
        var line = StyledText()
        for (index, cell) in cells.enumerated() {
            if index > 0 { line.add(String(repeating: " ", count: gap)) }
            line.add(cell)
        }
        return [line]
    }

    private static func pieces(of word: Substring, width: Int) -> [String] {
        guard TextWidth.columns(of: String(word)) > width else { return [String(word)] }
        var pieces: [String] = []
        var piece = ""
        for character in word {
            if TextWidth.columns(of: piece) + TextWidth.columns(of: character) > width {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        return pieces + [piece]
    }
}
