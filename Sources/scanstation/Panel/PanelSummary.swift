/// What stays on the screen when the panel is gone: the latest scans, the counters, and what is still wrong.
enum PanelSummary {
    static let scans = 5

    static func lines(_ model: PanelModel, columns: Int, paint: Paint) -> [String] {
        let counters = TextWrap.flow(
            model.counters.map { StyledText($0.before + $0.value + $0.after) }, width: columns, maxLines: 3)
        let troubles = model.troubles.flatMap { trouble in
            TextWrap.lines("\(trouble.subject): \(trouble.text)", width: columns, maxLines: 10)
                .map { StyledText($0, trouble.isGrave ? .red : .yellow) }
        }
        var lines = [StyledText("\(model.name) was stopped. Since the start:", .bold)] + counters
        if !model.scans.isEmpty { lines.append(StyledText("The latest:", .dim)) }
        lines += model.scans.suffix(scans).map { PanelScreen.line($0, isFresh: false) }
        lines += troubles
        return lines.map { ($0.columns > columns ? $0.fitted(to: columns) : $0).painted(paint) }
    }
}
