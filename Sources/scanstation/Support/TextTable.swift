/// Rows of text in columns as wide as their widest cell; the last one isn't padded.
enum TextTable {
    private static let gap = 2

    /// Rows may be shorter than others; none is empty of columns.
    static func lines(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in
            rows.map { column < $0.count ? StyledText.columns(of: $0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = row.enumerated().map { column, text in
                column == row.count - 1 ? text : PanelScreen.pad(text, widths[column] + gap)
            }.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
