import Glibc
import Vocabulary

/// A place with bars, measured on lines across it.
struct BarLook {
    /// Lines, evenly over the middle of the height; each is the mean of three that are a pixel apart.
    private static let lineCount = 12
    private static let spread: Float = 0.8
    private static let mostSamples: Float = 1600
    private static let finestStep: Float = 0.5
    /// How far to look beyond each end: in modules, and at least this part of the length.
    private static let beyond: (modules: Float, part: Float) = (12, 0.15)
    /// The smallest step that counts as an edge: a part of the contrast, and levels.
    private static let leastStep: (part: Double, levels: Int) = (0.1, 6)
    /// With more edges than `long`, this number of neighbouring pairs of lines must be alike; otherwise all.
    private static let long = 48
    private static let bodyPairs = 7
    /// How far lines of bars lean, as the tangent of an angle.
    private static let lean: Float = 0.35

    let light: LightFigures
    let edges: EdgeFigures
    /// How alike neighbouring lines are, -1…1: three quarters of them are more alike, over two thirds of the height of many bars.
    let likeness: Double
    /// Pixels of paper beside the first and the last bar, as far as was looked.
    let quiet: (left: Double, right: Double)
    /// How much of the bars' length is saturated in pieces that are too long for paper between bars, 0…1.
    let glare: Double
    /// Whether it is dark right beyond an end: the label ends there, and its edge was taken for a bar's. The width of the paper before it in
    /// pixels.
    let lastPaper: Double?

    /// - Parameters:
    ///   - from: the first bar's outer edge, in pixels of the plane; `to`: the last bar's.
    ///   - height: of the bars in pixels.
    ///   - module: about, in pixels.
    /// `nil` if it is too short to say anything.
    init?(from: Point, to: Point, height: Double, module: Double, in plane: LumaPlane) {
        let (dx, dy) = (Float(to.x - from.x), Float(to.y - from.y))
        let length = (dx * dx + dy * dy).squareRoot()
        guard length >= 20, length < 20_000, height >= 3 else { return nil }
        let (c, s) = (dx / length, dy / length)
        let reach = max(Float(module) * Self.beyond.modules, length * Self.beyond.part, 8)
        let step = max(Self.finestStep, (length + 2 * reach) / Self.mostSamples)
        let count = Int((length + 2 * reach) / step)
        let first = Int(reach / step)
        let inside = first..<max(first + 8, min(count, count - first))
        guard inside.upperBound <= count else { return nil }
        var lines: [[Int16]] = []
        for index in 0..<Self.lineCount {
            let v = (Float(index) / Float(Self.lineCount - 1) - 0.5) * Self.spread * Float(height)
            lines.append(
                Self.line(
                    plane, x: Float(from.x) - c * reach - s * v, y: Float(from.y) - s * reach + c * v, c, s, step,
                    count))
        }
        let light = LightFigures(lines.lazy.flatMap { $0[inside] })
        self.light = light
        let least = max(Self.leastStep.levels, Int(Double(light.contrast) * Self.leastStep.part))
        // One element beyond each end, so that the outer edges are whole.
        let margin = min(first, Int(max(3, 2 * Float(module)) / step))
        let code = inside.lowerBound - margin..<min(count, inside.upperBound + margin)
        edges = EdgeFigures(lines.map { LineEdges($0[code], least: least) }, step: step)
        let distance = Self.spread * Float(height) / Float(Self.lineCount - 1)
        likeness = Self.likeness(
            of: lines, code, shift: Int(distance * Self.lean / step) + 1, isLong: edges.count >= Self.long)
        let paper = Int16(light.dark + light.contrast * 6 / 10)
        let lefts = lines.map { Self.paper($0, from: inside.lowerBound - 1, by: -1, above: paper) }.sorted()
        let rights = lines.map { Self.paper($0, from: inside.upperBound, by: 1, above: paper) }.sorted()
        quiet = (Double(Float(lefts[lefts.count / 2]) * step), Double(Float(rights[rights.count / 2]) * step))
        let longest = max(Int(max(6 * Float(module), 0.07 * length) / step), 4)
        glare = Self.glare(lines, inside, longest: longest, light)
        lastPaper = Self.lastPaper(lines, inside, above: paper).map { $0 * Double(step) }
    }

    private static func line(
        _ plane: LumaPlane, x: Float, y: Float, _ c: Float, _ s: Float, _ step: Float, _ count: Int
    ) -> [Int16] {
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 3 * count) { memory in
            for part in 0..<3 {
                let off = Float(part) - 1
                plane.sample(
                    x: x - s * off, y: y + c * off, stepX: c * step, stepY: s * step,
                    into: UnsafeMutableBufferPointer(rebasing: memory[part * count..<(part + 1) * count]))
            }
            return (0..<count).map { (memory[$0] &+ memory[count &+ $0] &+ memory[2 &* count &+ $0]) / 3 }
        }
    }

    /// Samples of paper from a place outwards. The blur of the outer edge isn't paper yet, nor is it anything else.
    private static func paper(_ line: [Int16], from first: Int, by step: Int, above level: Int16) -> Int {
        var (index, isPaper) = (first, false)
        while line.indices.contains(index) {
            if line[index] >= level {
                isPaper = true
            } else if isPaper || abs(index - first) > 6 {
                break
            }
            index += step
        }
        return isPaper ? abs(index - first) : 0
    }

    private static func likeness(of lines: [[Int16]], _ code: Range<Int>, shift: Int, isLong: Bool) -> Double {
        let slopes = lines.map { line in
            code.dropFirst().map { Float(line[$0]) - Float(line[$0 - 1]) }
        }
        let shift = min(shift, 24, max(1, code.count / 16))
        guard code.count > 4 * shift + 8 else { return 0 }
        let all = zip(slopes, slopes.dropFirst()).map { a, b in
            (-shift...shift).map { correlation(a, b, shift: $0, margin: shift) }.max() ?? 0
        }
        // The place may reach beyond the bars, above or below. Of a headline, too, some lines are alike, but it has fewer edges.
        let count = isLong ? bodyPairs : all.count
        let parts = (0...all.count - count).map { all[$0..<$0 + count].sorted()[count / 4] }
        return Double(parts.max() ?? 0)
    }

    private static func correlation(_ a: [Float], _ b: [Float], shift: Int, margin: Int) -> Float {
        var (product, own, other): (Float, Float, Float) = (0, 0, 0)
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                for index in margin..<a.count - margin {
                    let (x, y) = (a[index], b[index &+ shift])
                    product += x * y
                    own += x * x
                    other += y * y
                }
            }
        }
        return own > 0 && other > 0 ? product / (own * other).squareRoot() : 0
    }

    /// Saturated pieces among the bars; and from an end on, if the paper between the bars isn't saturated.
    private static func glare(_ lines: [[Int16]], _ inside: Range<Int>, longest: Int, _ light: LightFigures) -> Double {
        var lost = 0
        for line in lines {
            var run = 0
            for index in inside {
                if line[index] >= LightFigures.saturation {
                    run += 1
                    if index < inside.upperBound - 1 { continue }
                }
                if run > longest { lost += run }
                run = 0
            }
        }
        return Double(lost) / Double(lines.count * inside.count)
    }

    /// The outermost light element, if it is dark beyond: the median over lines of the narrower end.
    private static func lastPaper(_ lines: [[Int16]], _ inside: Range<Int>, above level: Int16) -> Double? {
        func paper(at end: Int, by step: Int) -> Double? {
            var widths: [Int] = []
            for line in lines {
                let beyond = end - 4 * step
                guard line.indices.contains(beyond), line.indices.contains(end - 10 * step), line[beyond] < level,
                    line[end - 10 * step] < level
                else { continue }
                var index = end - 3 * step
                while line.indices.contains(index), line[index] < level { index += step }
                let begin = index
                while line.indices.contains(index), line[index] >= level { index += step }
                widths.append(abs(index - begin))
            }
            return widths.count * 3 >= lines.count * 2 ? Double(widths.sorted()[widths.count / 2]) : nil
        }
        return [paper(at: inside.lowerBound, by: 1), paper(at: inside.upperBound - 1, by: -1)].compactMap { $0 }.min()
    }
}
