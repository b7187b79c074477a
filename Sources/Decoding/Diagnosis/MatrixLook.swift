import Glibc
import Vocabulary

/// A rectangle that may show a matrix code, measured along and across.
struct MatrixLook {
    /// Lines each way.
    private static let lineCount = 16
    private static let mostSamples: Float = 1200
    /// The rectangle in blocks, and samples of a block, each way.
    private static let blocks = 6
    private static let blockSamples = 8
    /// The smallest step that counts as an edge: a part of the contrast, and levels.
    private static let leastStep: (part: Double, levels: Int) = (0.15, 8)

    let light: LightFigures
    /// The edges of both ways together.
    let edges: EdgeFigures
    /// Edges along the rows for each one along the columns.
    let balance: Double
    /// The part of the samples that is darker than half way, 0…1.
    let darkPart: Double
    /// The part of the blocks that show light and dark, 0…1.
    let busyBlocks: Double
    /// The part of the blocks that is saturated while the paper of others isn't, 0…1.
    let glare: Double
    /// How much rows, and columns, differ in darkness: a standard deviation, 0…0.5. Print has rows without ink.
    let unevenness: Double
    /// How many sides have something quiet beside them, 0…4.
    let quietSides: Int

    init?(_ region: LocatedRegion, in plane: LumaPlane) {
        let (length, height) = (Float(region.length), Float(region.height))
        guard min(length, height) >= 12, max(length, height) < 20_000 else { return nil }
        let lines = RegionLines(of: region, in: plane)
        let side = Self.blocks * Self.blockSamples
        let grid = (0..<side).flatMap { row in
            lines.line(
                u: -length / 2 + length / Float(2 * side), v: ((Float(row) + 0.5) / Float(side) - 0.5) * height,
                alongColumns: false, step: length / Float(side), count: side)
        }
        let light = LightFigures(grid)
        self.light = light
        let least = max(Self.leastStep.levels, Int(Double(light.contrast) * Self.leastStep.part))
        let step = max(0.5, max(length, height) / Self.mostSamples)
        let rows = (0..<Self.lineCount).map { index in
            let v = ((Float(index) + 0.5) / Float(Self.lineCount) - 0.5) * height
            return LineEdges(
                lines.line(u: -length / 2, v: v, alongColumns: false, step: step, count: Int(length / step)),
                least: least)
        }
        let columns = (0..<Self.lineCount).map { index in
            let u = ((Float(index) + 0.5) / Float(Self.lineCount) - 0.5) * length
            return LineEdges(
                lines.line(u: u, v: -height / 2, alongColumns: true, step: step, count: Int(height / step)),
                least: least)
        }
        edges = EdgeFigures(rows + columns, step: step)
        let (across, down) = (
            rows.reduce(0) { $0 + $1.edges.count }, columns.reduce(0) { $0 + $1.edges.count }
        )
        balance = Double(across) / Double(length) / max(Double(down) / Double(height), 0.001)
        let middle = Int16((light.dark + light.light) / 2)
        darkPart = Double(grid.count { $0 < middle }) / Double(grid.count)
        let blocks = Self.blocks(of: grid, side: side)
        busyBlocks =
            Double(blocks.count { Int($0.light) - Int($0.dark) >= light.contrast * 4 / 10 }) / Double(blocks.count)
        glare = Self.glare(blocks)
        unevenness = Self.unevenness(grid, side: side, below: middle)
        quietSides = Self.quietSides(lines, length, height, contrast: light.contrast)
    }

    /// The part of a rectangle that shows dark in most of its rows and columns: what a texture's cells add around it is left out.
    static func trimmed(_ region: LocatedRegion, in plane: LumaPlane) -> LocatedRegion {
        var wide = region
        wide.length *= 1.2
        wide.height *= 1.2
        let (c, s) = (Float(cos(region.direction)), Float(sin(region.direction)))
        let (length, height) = (Float(wide.length), Float(wide.height))
        let side = 60
        let rows = (0..<side).map { row -> [Int16] in
            let v = ((Float(row) + 0.5) / Float(side) - 0.5) * height
            let u = -length / 2 + length / Float(2 * side)
            return plane.line(
                x: Float(wide.centre.x) + c * u - s * v, y: Float(wide.centre.y) + s * u + c * v,
                stepX: c * length / Float(side), stepY: s * length / Float(side), count: side)
        }
        let light = LightFigures(rows.joined())
        let middle = Int16((light.dark + light.light) / 2)
        func range(_ isDark: (Int, Int) -> Bool) -> Range<Int> {
            let parts = (0..<side).map { line in (0..<side).count { isDark(line, $0) } }
            let least = max(3, (parts.max() ?? 0) / 4)
            let first = parts.firstIndex { $0 >= least } ?? 0
            let last = parts.lastIndex { $0 >= least } ?? side - 1
            return first..<max(last, first) + 1
        }
        let down = range { rows[$0][$1] < middle }
        let across = range { rows[$1][$0] < middle }
        let u = (Double(across.lowerBound + across.upperBound) / Double(2 * side) - 0.5) * wide.length
        let v = (Double(down.lowerBound + down.upperBound) / Double(2 * side) - 0.5) * wide.height
        var tight = region
        tight.centre = Point(
            x: wide.centre.x + Double(c) * u - Double(s) * v, y: wide.centre.y + Double(s) * u + Double(c) * v)
        tight.length = wide.length * Double(across.count) / Double(side)
        tight.height = wide.height * Double(down.count) / Double(side)
        return tight
    }

    private static func blocks(of grid: [Int16], side: Int) -> [(dark: Int16, light: Int16)] {
        var found: [(dark: Int16, light: Int16)] = []
        for block in 0..<Self.blocks * Self.blocks {
            let top = block / Self.blocks * blockSamples
            let left = block % Self.blocks * blockSamples
            var samples: [Int16] = []
            for row in top..<top + blockSamples {
                samples += grid[row * side + left..<row * side + left + blockSamples]
            }
            samples.sort()
            found.append((samples[samples.count / 16], samples[samples.count * 15 / 16]))
        }
        return found
    }

    private static func glare(_ blocks: [(dark: Int16, light: Int16)]) -> Double {
        let washed = blocks.filter { $0.dark >= LightFigures.saturation - 6 }
        let others = blocks.filter { $0.dark < LightFigures.saturation - 6 }.map(\.light).sorted()
        guard !others.isEmpty, others[others.count / 3] < LightFigures.saturation else { return 0 }
        return Double(washed.count) / Double(blocks.count)
    }

    private static func unevenness(_ grid: [Int16], side: Int, below middle: Int16) -> Double {
        func deviation(_ parts: [Double]) -> Double {
            let mean = parts.reduce(0, +) / Double(parts.count)
            return (parts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(parts.count)).squareRoot()
        }
        let rows = (0..<side).map { row in
            Double((0..<side).count { grid[row * side + $0] < middle }) / Double(side)
        }
        let columns = (0..<side).map { column in
            Double((0..<side).count { grid[$0 * side + column] < middle }) / Double(side)
        }
        return max(deviation(rows), deviation(columns))
    }

    /// A side is quiet if there is a line along it, not far outside, on which little changes.
    private static func quietSides(
        _ lines: RegionLines, _ length: Float, _ height: Float, contrast: Int
    ) -> Int {
        let count = 48
        var sides = 0
        for (isColumn, sign) in [(false, -1 as Float), (false, 1), (true, -1), (true, 1)] {
            let (along, across) = isColumn ? (height, length) : (length, height)
            let isQuiet = [0.02 as Float, 0.06, 0.1, 0.14].contains { part in
                let off = sign * (across / 2 + max(2, part * across))
                let samples =
                    isColumn
                    ? lines.line(
                        u: off, v: -height / 2, alongColumns: true, step: along / Float(count), count: count)
                    : lines.line(
                        u: -length / 2, v: off, alongColumns: false, step: along / Float(count), count: count)
                let light = LightFigures(samples)
                return light.contrast * 3 < contrast
            }
            if isQuiet { sides += 1 }
        }
        return sides
    }
}

/// Lines along a region's rows and columns.
private struct RegionLines {
    private let plane: LumaPlane
    private let x: Float
    private let y: Float
    private let c: Float
    private let s: Float

    init(of region: LocatedRegion, in plane: LumaPlane) {
        self.plane = plane
        (x, y) = (Float(region.centre.x), Float(region.centre.y))
        (c, s) = (Float(cos(region.direction)), Float(sin(region.direction)))
    }

    /// - Parameters:
    ///   - u: where the line begins, from the region's centre along its direction, in pixels.
    ///   - v: the same across it.
    ///   - step: in pixels.
    func line(u: Float, v: Float, alongColumns: Bool, step: Float, count: Int) -> [Int16] {
        let (a, b) = alongColumns ? (-s, c) : (c, s)
        return plane.line(
            x: x + c * u - s * v, y: y + s * u + c * v, stepX: a * step, stepY: b * step, count: count)
    }
}
