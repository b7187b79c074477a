/// Draws the panel as text: a pure function of the model and the size of the terminal.
///
/// A window that is too small loses the frame first, then the counters; what is wrong, the lamps and the keys stay longest.
struct PanelScreen {
    /// A smaller window has no frame.
    static let framedColumns = 48
    static let framedRows = 16
    /// The most lines given to text that doesn't fit; more of them aren't worth it.
    static let counterLines = 2
    /// From this many rows on, the counters are shown.
    static let counterRows = 12
    /// From this many rows on, lamps, keys and notices may take several.
    static let roomyRows = 14
    /// How many scans keep their room beside what is wrong, if there is room for anything.
    static let scansBelowTroubles = 3
    /// Width of the labels: `camera`, `trigger`, `journal`.
    static let labelColumns = 9

    let columns: Int
    let rows: Int
    let paint: Paint

    /// Exactly the terminal's rows, each exactly its width, with SGR colours if `isColoured`.
    static func render(_ model: PanelModel, columns: Int, rows: Int, isColoured: Bool = true) -> [String] {
        PanelScreen(columns: columns, rows: rows, paint: Paint(isColoured: isColoured)).render(model)
    }

    private var isFramed: Bool { columns >= Self.framedColumns && rows >= Self.framedRows }
    private var innerColumns: Int { isFramed ? columns - 4 : columns }
    private var isRoomy: Bool { rows >= Self.roomyRows }

    private func render(_ model: PanelModel) -> [String] {
        var status: [StyledText] = [camera(model)]
        if let trouble = model.trouble { status += labelled("", trouble, .red, maxLines: isRoomy ? 3 : 1) }
        status.append(trigger(model))
        if let console = model.console { status += labelled("console", console, .plain, maxLines: 2) }
        var lamps = TextWrap.flow(model.lamps.map(lamp), width: innerColumns, maxLines: isRoomy ? 2 : 1)
        if lamps.isEmpty { lamps = [StyledText("the configuration names no lines", .dim)] }
        if let pending = model.pending {
            var line = StyledText("confirm? ", .yellow)
            line.add(pending, .bold)
            line.add("  press c", .yellow)
            lamps.append(line)
        }

        var foot: [String] = []
        if rows >= Self.counterRows {
            foot.append(divider("since the start"))
            foot += TextWrap.flow(model.counters.map(counter), width: innerColumns, maxLines: Self.counterLines)
                .prefix(Self.counterLines).map(row)
        }
        if isFramed { foot.append(divider("")) }
        foot += keys(model).map(row)
        if isFramed { foot.append(edge("╰", StyledText(), "╯")) }

        let title = title(model)
        // While nothing is read, the reason is more useful than old scans.
        let scansWanted = model.isBlocked ? 0 : Self.scansBelowTroubles
        // After what stops the station, before what slows it down.
        if let unread = model.unread, !model.isBlocked {
            status += labelled(unread.subject, unread.text, .yellow, maxLines: isRoomy ? 2 : 1)
        }
        let fixed = 1 + status.count + (isFramed ? 1 : 0) + lamps.count + 1 + foot.count
        status += troubles(model.troubles, maxLines: rows - fixed - scansWanted)

        var head = [isFramed ? edge("╭", title, "╮") : row(title)]
        head += status.map(row)
        if isFramed { head.append(divider("panel")) }
        head += lamps.map(row)
        head.append(divider("scans"))

        // The newest scan is on top, where people look; nobody scrolls a panel.
        let room = max(0, rows - head.count - foot.count)
        var scans = model.scans.suffix(room).reversed().enumerated().map { index, scan in
            row(Self.line(scan, isFresh: index == 0 && model.isNewestFresh))
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
        if model.isPaused {
            line.add("paused; press p to resume", .yellow)
        } else if model.isBlocked {
            line.add("not reading: no scan can be kept", .red)
        } else {
            line.add(model.activity, model.isReading ? .cyan : .dim)
        }
        return line
    }

    /// Grave troubles in full, the others in two lines each; those that don't fit are counted.
    private func troubles(_ troubles: [PanelModel.Trouble], maxLines: Int) -> [StyledText] {
        // At least one, whatever else has to make room for it.
        let maxLines = max(1, maxLines)
        var lines: [StyledText] = []
        for (index, trouble) in troubles.enumerated() {
            let left = troubles.count - index
            // The last line says how many are left out.
            let room = maxLines - lines.count - (left > 1 ? 1 : 0)
            guard room > 0 else {
                lines.append(StyledText("and \(left) more: scanstation outputs", .yellow))
                break
            }
            lines += labelled(
                trouble.subject, trouble.text, trouble.isGrave ? .red : .yellow,
                maxLines: min(room, trouble.isGrave ? .max : 2))
        }
        return lines
    }

    /// The label, then the text beside it in as many lines as it needs.
    private func labelled(_ label: String, _ text: String, _ style: Paint.Style, maxLines: Int) -> [StyledText] {
        let margin = max(Self.labelColumns, min(StyledText.columns(of: label) + 1, innerColumns / 2))
        let width = max(8, innerColumns - margin)
        return TextWrap.lines(text, width: width, maxLines: maxLines).enumerated().map { index, text in
            var line = StyledText()
            if index == 0 { line.add(StyledText(label, .dim).fitted(to: margin - 1)) }
            line.add(String(repeating: " ", count: margin - line.columns))
            line.add(text, style)
            return line
        }
    }

    private func lamp(_ lamp: PanelModel.Lamp) -> StyledText {
        StyledText(lamp.isOn ? "● \(lamp.name)" : "○ \(lamp.name)", lamp.isOn ? lamp.colour : .dim)
    }

    static func line(_ scan: PanelModel.ScanLine, isFresh: Bool) -> StyledText {
        var line = StyledText(scan.time, isFresh ? .fresh : .dim)
        line.add("  ")
        line.add(pad(scan.symbology, 14), .cyan)
        line.add(" ")
        line.add(pad(scan.kind, 8), .dim)
        line.add(" ")
        line.add(scan.text, isFresh ? .bold : .plain)
        return line
    }

    private func counter(_ counter: PanelModel.Counter) -> StyledText {
        var line = StyledText(counter.before, .dim)
        line.add(counter.value, .bold)
        line.add(counter.after, .dim)
        return line
    }

    /// A notice takes the place of the keys while it lasts.
    private func keys(_ model: PanelModel) -> [StyledText] {
        if let notice = model.notice {
            return TextWrap.lines(notice.text, width: innerColumns, maxLines: isRoomy ? 3 : 1)
                .map { StyledText($0, notice.isTrouble ? .red : .yellow) }
        }
        let cells = model.keys.map { key in
            var cell = StyledText(key.key, .bold)
            cell.add(" \(key.action)", .dim)
            return cell
        }
        return TextWrap.flow(cells, width: innerColumns, maxLines: isRoomy ? 2 : 1)
    }

    // MARK: Frame

    private func row(_ line: StyledText) -> String {
        // A terminal may draw a character narrower or wider than we think: it gets an empty line to draw on, and is told where the frame
        // is.
        let clear = line.isUncertain ? Terminal.clearLine : ""
        guard isFramed else { return clear + line.fitted(to: columns).painted(paint) }
        let end = line.isUncertain ? Terminal.column(columns) : ""
        return clear + paint(.dim, "│") + " " + line.fitted(to: columns - 4).painted(paint) + " " + end
            + paint(.dim, "│")
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
