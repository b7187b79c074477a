/// Draws the panel as text: a pure function of the model and the size of the terminal.
///
/// A window that is too small for all of it loses first the frame, then the counters; keys and lamps stay to the end.
struct PanelScreen {
    /// Below these there is no frame around it.
    static let framedColumns = 48
    static let framedRows = 16
    /// What doesn't fit into these isn't worth more of them.
    static let counterLines = 2
    /// Rows from which on the counters are shown.
    static let counterRows = 12

    let columns: Int
    let rows: Int
    let paint: Paint

    /// Exactly the terminal's rows, each exactly its width, with SGR colours if `isColoured`.
    static func render(_ model: PanelModel, columns: Int, rows: Int, isColoured: Bool = true) -> [String] {
        PanelScreen(columns: columns, rows: rows, paint: Paint(isColoured: isColoured)).render(model)
    }

    private var isFramed: Bool { columns >= Self.framedColumns && rows >= Self.framedRows }
    private var innerColumns: Int { isFramed ? columns - 4 : columns }

    private func render(_ model: PanelModel) -> [String] {
        var head: [String] = []
        if isFramed { head.append(edge("╭", title(model), "╮")) } else { head.append(row(title(model))) }
        head.append(row(camera(model)))
        if let trouble = model.trouble { head.append(row(StyledText("         " + trouble, .red))) }
        head.append(row(trigger(model)))
        if isFramed { head.append(divider("panel")) }
        head.append(row(lamps(model.lamps)))
        if let pending = model.pending {
            var line = StyledText("confirm? ", .yellow)
            line.add(pending, .bold)
            line.add("  press c", .yellow)
            head.append(row(line))
        }
        head.append(divider("scans"))

        var foot: [String] = []
        if rows >= Self.counterRows {
            foot.append(divider("since the start"))
            foot += counters(model.counters).prefix(Self.counterLines).map(row)
        }
        if isFramed { foot.append(divider("")) }
        foot.append(row(keys(model)))
        if isFramed { foot.append(edge("╰", StyledText(), "╯")) }

        // The newest scan on top, as eyes are there; nobody scrolls a panel.
        let room = max(0, rows - head.count - foot.count)
        var scans = model.scans.suffix(room).reversed().enumerated().map { index, scan in
            row(line(scan, isFresh: index == 0 && model.isNewestFresh))
        }
        while scans.count < room { scans.append(row(StyledText())) }
        let all = head + scans + foot
        // Where not even that fits, the keys matter least.
        return Array(all.prefix(max(0, rows)))
    }

    // MARK: Lines

    private func title(_ model: PanelModel) -> StyledText {
        var line = StyledText("ScanStation", .bold)
        line.add("  \(model.name)")
        line.add("  \(model.version)", .dim)
        return line
    }

    private func camera(_ model: PanelModel) -> StyledText {
        var line = StyledText("camera   ", .dim)
        let colour: Paint.Style = model.isCameraRunning ? .green : model.isPaused ? .yellow : .red
        line.add(model.isCameraRunning ? "▶ " : "■ ", colour)
        line.add(model.camera, colour)
        if !model.cameraFigures.isEmpty { line.add("  \(model.cameraFigures)") }
        return line
    }

    private func trigger(_ model: PanelModel) -> StyledText {
        var line = StyledText("trigger  ", .dim)
        line.add(model.mode, .bold)
        line.add("  ")
        line.add(
            model.isPaused ? "paused: p goes on" : model.activity,
            model.isPaused ? .yellow : model.isReading ? .cyan : .dim)
        return line
    }

    /// Lamps that don't fit are left out whole.
    private func lamps(_ lamps: [PanelModel.Lamp]) -> StyledText {
        var line = StyledText()
        for lamp in lamps {
            var cell = StyledText(line.columns == 0 ? "" : "   ")
            cell.add(lamp.isOn ? "● \(lamp.name)" : "○ \(lamp.name)", lamp.isOn ? lamp.colour : .dim)
            guard line.columns + cell.columns <= innerColumns else { break }
            line.add(cell)
        }
        return line
    }

    private func line(_ scan: PanelModel.ScanLine, isFresh: Bool) -> StyledText {
        var line = StyledText(scan.time, isFresh ? .fresh : .dim)
        line.add("  ")
        line.add(Self.pad(scan.symbology, 14), .cyan)
        line.add(" ")
        line.add(Self.pad(scan.kind, 8), .dim)
        line.add(" ")
        line.add(scan.text, isFresh ? .bold : .plain)
        return line
    }

    private func counters(_ counters: [PanelModel.Counter]) -> [StyledText] {
        var lines: [StyledText] = []
        var line = StyledText()
        for counter in counters {
            var cell = StyledText(line.columns == 0 ? "" : "   ")
            cell.add("\(counter.value)", .bold)
            cell.add(" \(counter.name)", .dim)
            if line.columns + cell.columns > innerColumns, line.columns > 0 {
                lines.append(line)
                line = StyledText("\(counter.value)", .bold)
                line.add(" \(counter.name)", .dim)
            } else {
                line.add(cell)
            }
        }
        if line.columns > 0 { lines.append(line) }
        return lines
    }

    /// A notice takes the place of the keys while it lasts.
    private func keys(_ model: PanelModel) -> StyledText {
        if let notice = model.notice { return StyledText(notice.text, notice.isTrouble ? .red : .yellow) }
        var line = StyledText()
        let keys = [
            ("space", "trigger"), ("m", "mode"), ("t", "torch"), ("c", "confirm"),
            ("p", model.isPaused ? "go on" : "pause"),
            ("q", "quit"),
        ]
        for (key, action) in keys {
            line.add(line.columns == 0 ? "" : "   ")
            line.add(key, .bold)
            line.add(" \(action)", .dim)
        }
        return line
    }

    // MARK: Frame

    private func row(_ line: StyledText) -> String {
        guard isFramed else { return line.fitted(to: columns).painted(paint) }
        return paint(.dim, "│") + " " + line.fitted(to: columns - 4).painted(paint) + " " + paint(.dim, "│")
    }

    private func divider(_ title: String) -> String {
        if isFramed { return edge("├", StyledText(title, .dim), "┤") }
        return paint(.dim, rule(title.isEmpty ? "" : "─ \(title) ", columns))
    }

    private func edge(_ left: String, _ title: StyledText, _ right: String) -> String {
        guard title.columns > 0 else { return paint(.dim, rule(left, columns - 1) + right) }
        let room = max(0, columns - 4 - 2)
        let fitted = title.columns > room ? title.fitted(to: room) : title
        return paint(.dim, left + "─ ") + fitted.painted(paint)
            + paint(.dim, rule(" ", columns - 4 - fitted.columns) + right)
    }

    private func rule(_ start: String, _ width: Int) -> String {
        let start = String(start.prefix(max(0, width)))
        return start + String(repeating: "─", count: max(0, width - StyledText.columns(of: start)))
    }

    static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - StyledText.columns(of: text)))
    }
}
