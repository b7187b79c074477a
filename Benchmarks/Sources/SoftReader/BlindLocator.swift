import Foundation
import SoftReader
import Vocabulary

/// Where linear codes may be in a photo, for measuring the reader alone: blocks whose gradients point one way, joined to regions. Slow and
/// generous; no part of the product.
struct BlindLocator {
    let pixels: [UInt8]
    let width: Int
    let height: Int

    private static let block = 8

    /// Lines over everything that may be a code, at several scales, with ends a little in- and outwards.
    func lines() -> [CodeLine] {
        var out: [CodeLine] = []
        var plane = self
        var scale = 1.0
        while min(plane.width, plane.height) >= 48, scale <= 8 {
            out += plane.regions().map { line in
                func scaled(_ p: Point) -> Point { Point(x: p.x * scale, y: p.y * scale) }
                return CodeLine(left: scaled(line.left), right: scaled(line.right), height: line.height * scale)
            }
            plane = plane.halved()
            scale *= 2
        }
        return out.flatMap { [$0] + pieces(of: $0) }
    }

    /// The parts of a region's line between long gaps, for several ideas of what is long: a code and its add-on, a code and text beside it.
    private func pieces(of line: CodeLine) -> [CodeLine] {
        let (dx, dy) = (line.right.x - line.left.x, line.right.y - line.left.y)
        let length = (dx * dx + dy * dy).squareRoot()
        let (ax, ay) = (dx / length, dy / length)
        let margin = 0.35 * length
        let count = Int(length + 2 * margin)
        let light = (0..<count).map { index -> Double in
            let along = Double(index) - margin
            var sum = 0.0
            for step in -8...8 {
                let across = Double(step) / 8 * line.height * 0.3
                let x = Int(line.left.x + along * ax - across * ay)
                let y = Int(line.left.y + along * ay + across * ax)
                sum += Double(pixels[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)])
            }
            return sum / 17
        }
        let slopes = (1..<max(count, 2)).map { abs(light[min($0, count - 1)] - light[$0 - 1]) }
        let steep = slopes.sorted()[slopes.count * 9 / 10]
        let active = slopes.indices.filter { slopes[$0] > 0.35 * steep }
        var out: [CodeLine] = []
        for gap in [0.035, 0.05, 0.08, 0.12, 0.2] {
            var start = active.first ?? 0
            for (index, place) in active.enumerated() {
                let next = index + 1 < active.count ? active[index + 1] : Int.max
                guard Double(next) - Double(place) > gap * length else { continue }
                if place - start > 24 {
                    func point(_ index: Int) -> Point {
                        let along = Double(index) - margin
                        return Point(x: line.left.x + along * ax, y: line.left.y + along * ay)
                    }
                    let piece = CodeLine(left: point(start), right: point(place + 1), height: line.height)
                    if !out.contains(where: { $0 == piece }) { out.append(piece) }
                }
                start = next
            }
        }
        return out
    }

    private func halved() -> BlindLocator {
        let (w, h) = (width / 2, height / 2)
        var out = [UInt8](repeating: 0, count: w * h)
        for y in 0..<h {
            for x in 0..<w {
                let at = 2 * y * width + 2 * x
                out[y * w + x] = UInt8(
                    (Int(pixels[at]) + Int(pixels[at + 1]) + Int(pixels[at + width]) + Int(pixels[at + width + 1]) + 2)
                        / 4)
            }
        }
        return BlindLocator(pixels: out, width: w, height: h)
    }

    private func regions() -> [CodeLine] {
        let size = Self.block
        let (columns, rows) = (width / size, height / size)
        guard columns > 2, rows > 2 else { return [] }
        var tensors = [SIMD4<Double>](repeating: .zero, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = SIMD4<Double>.zero
                for y in max(1, row * size)..<min(height - 1, (row + 1) * size) {
                    for x in max(1, column * size)..<min(width - 1, (column + 1) * size) {
                        let at = y * width + x
                        let gx = Double(pixels[at + 1]) - Double(pixels[at - 1])
                        let gy = Double(pixels[at + width]) - Double(pixels[at - width])
                        sum += SIMD4(gx * gx - gy * gy, 2 * gx * gy, gx * gx + gy * gy, 1)
                    }
                }
                tensors[row * columns + column] = sum
            }
        }
        // Smoothed over three by three blocks.
        var smooth = tensors
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = SIMD4<Double>.zero
                for y in max(0, row - 1)...min(rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(columns - 1, column + 1) { sum += tensors[y * columns + x] }
                }
                smooth[row * columns + column] = sum
            }
        }
        func isCoherent(_ t: SIMD4<Double>) -> Bool {
            t.z / max(t.w, 1) > 60 && (t.x * t.x + t.y * t.y).squareRoot() > 0.5 * t.z
        }
        var region = [Int](repeating: -1, count: columns * rows)
        var out: [CodeLine] = []
        for seed in region.indices where region[seed] < 0 && isCoherent(smooth[seed]) {
            var stack = [seed]
            var members: [Int] = []
            region[seed] = seed
            while let index = stack.popLast() {
                members.append(index)
                let (row, column) = (index / columns, index % columns)
                for y in max(0, row - 1)...min(rows - 1, row + 1) {
                    for x in max(0, column - 1)...min(columns - 1, column + 1) {
                        let other = y * columns + x
                        guard region[other] < 0, isCoherent(smooth[other]) else { continue }
                        let (a, b) = (smooth[index], smooth[other])
                        let lengths = ((a.x * a.x + a.y * a.y) * (b.x * b.x + b.y * b.y)).squareRoot()
                        guard a.x * b.x + a.y * b.y > 0.7 * lengths else { continue }
                        region[other] = seed
                        stack.append(other)
                    }
                }
            }
            guard members.count >= 6 else { continue }
            let total = members.reduce(SIMD4<Double>.zero) { $0 + tensors[$1] }
            let angle = atan2(total.y, total.x) / 2
            let (cosine, sine) = (cos(angle), sin(angle))
            var along: [Double] = []
            var across: [Double] = []
            for index in members {
                let (x, y) = (
                    (Double(index % columns) + 0.5) * Double(size), (Double(index / columns) + 0.5) * Double(size)
                )
                along.append(x * cosine + y * sine)
                across.append(y * cosine - x * sine)
            }
            along.sort()
            across.sort()
            func part(_ values: [Double], _ part: Double) -> Double { values[Int(part * Double(values.count - 1))] }
            let (low, high) = (part(along, 0.01), part(along, 0.99))
            let (top, bottom) = (part(across, 0.05), part(across, 0.95))
            guard high - low > 32 else { continue }
            let middle = (top + bottom) / 2
            func point(_ a: Double) -> Point { Point(x: a * cosine - middle * sine, y: a * sine + middle * cosine) }
            out.append(CodeLine(left: point(low), right: point(high), height: max(bottom - top, 4)))
        }
        return out
    }
}
