import Foundation

/// Read rates as curves, one panel for each question: docs/soft-reader.svg.
enum ReadRatePicture {
    struct Panel {
        let title: String
        let axis: String
        let rows: [ReadRates.Row]
    }

    private static let (width, height, gap) = (420.0, 240.0, 70.0)
    private static let perRow = 2
    private static let mostTicks = 8
    private static let rowHeight = height + 130
    private static let readers: [(name: String, colour: String, rate: @Sendable (ReadRates.Row) -> Double)] = [
        ("soft reader", "#0b6e4f", { $0.soft }), ("ZXing", "#c8553d", { $0.zxing }), ("ZBar", "#3d5a98", { $0.zbar }),
    ]

    static func svg(_ panels: [Panel]) -> String {
        var out = ""
        for (number, panel) in panels.enumerated() {
            let left = gap + Double(number % perRow) * (width + gap)
            let top = Double(number / perRow) * rowHeight
            guard let low = panel.rows.first?.value, let high = panel.rows.last?.value, high > low else { continue }
            func x(_ value: Double) -> Double { left + (value - low) / (high - low) * width }
            func y(_ rate: Double) -> Double { top + 40 + (1 - rate) * height }
            out += "<text x=\"\(left)\" y=\"\(top + 24)\" font-weight=\"bold\">\(panel.title)</text>\n"
            for rate in [0, 0.25, 0.5, 0.75, 1] {
                out += line(left, y(rate), left + width, y(rate), "#ccc")
                out += "<text x=\"\(left - 8)\" y=\"\(y(rate) + 4)\" text-anchor=\"end\">\(Int(rate * 100)) %</text>\n"
            }
            let halves = panel.rows.map(\.value).filter {
                abs(($0 * 2).rounded() - $0 * 2) < 1e-6
            }
            for (index, value) in halves.enumerated() where index % (halves.count / mostTicks + 1) == 0 {
                let text = String(format: value < 10 ? "%.1f" : "%.0f", value)
                out += "<text x=\"\(x(value))\" y=\"\(top + height + 58)\" text-anchor=\"middle\">\(text)</text>\n"
            }
            out +=
                "<text x=\"\(left + width / 2)\" y=\"\(top + height + 78)\" text-anchor=\"middle\">\(panel.axis)</text>\n"
            for (index, reader) in readers.enumerated() {
                let points = panel.rows.map { String(format: "%.1f,%.1f", x($0.value), y(reader.rate($0))) }
                let path = points.joined(separator: " ")
                out +=
                    "<polyline fill=\"none\" stroke=\"\(reader.colour)\" stroke-width=\"2.5\" points=\"\(path)\"/>\n"
                out +=
                    "<text x=\"\(left + 130 * Double(index))\" y=\"\(top + height + 100)\" fill=\"\(reader.colour)\">\(reader.name)</text>\n"
            }
        }
        let rows = (panels.count + perRow - 1) / perRow
        let size = (width: gap + Double(perRow) * (width + gap), height: Double(rows) * rowHeight)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(size.width))" height="\(Int(size.height))" \
            font-family="sans-serif" font-size="13">
            <rect width="100%" height="100%" fill="white"/>
            \(out)</svg>

            """
    }

    private static func line(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ colour: String) -> String {
        "<line x1=\"\(x)\" y1=\"\(y)\" x2=\"\(toX)\" y2=\"\(toY)\" stroke=\"\(colour)\"/>\n"
    }
}
