import CLocator
import Glibc

/// Pairs of close parallel lines across a patch: bars are the same on both lines of a pair, print and leaves aren't. From them: where bars begin
/// and end, their direction, and how wide their elements are.
struct BarRuns {
    /// Edges without a wide gap: perhaps one code. Codes may stand side by side on a patch.
    struct Run {
        /// From the patch's centre along its direction, in pixels.
        var start: Float
        var end: Float
        /// On the line that has most.
        var edgeCount: Int
        /// The mean distance between edges on that line, in pixels.
        var element: Float
    }

    /// In the order of the line.
    var runs: [Run]
    /// Across the bars, in radians.
    var direction: Float
    /// The median likeness of the two lines of a pair, -1…1.
    var likeness: Float

    /// Pairs on a patch, evenly over the middle of its height.
    static let pairCount = 4
    /// The part of the height that they cover.
    private static let spread: Float = 0.7
    /// The distance between the lines of a pair: a fraction of the height, and limits in pixels.
    private static let distance: (part: Float, limits: ClosedRange<Float>) = (0.1, 1.5...6)
    /// A shorter patch can't hold a code: in pixels.
    private static let leastHalfLength: Float = 20
    /// The most samples on a line; longer ones are sampled less densely.
    private static let mostSamples = 700
    /// The finest steps, in pixels.
    private static let finestStep: Float = 0.5
    /// How far beyond the patch to look: a fraction of its half length, and pixels.
    private static let beyond: (part: Float, pixels: Float) = (0.25, 32)
    /// How far the lines of a pair may be shifted against each other, as the tangent of an angle.
    private static let lean: Float = 0.35
    /// What the largest shift takes off a likeness: among bars as narrow as each other, the next ones look alike.
    private static let shiftPenalty: Float = 0.1
    /// A pair that is less alike doesn't count.
    private static let leastLikeness: Float = 0.4
    /// Fewer edges on a pair aren't looked at.
    private static let fewestEdges = 6
    /// A gap of this many mean elements ends a code: bars and spaces have up to 4 modules, elements 1.6 on average, quiet zones 7 and more.
    private static let widestGap: Float = 4.6
    /// A distance of this many medians isn't an element, when their mean is taken.
    private static let widestElement: Float = 4.5

    /// `nil` if there are no bars.
    init?(_ patch: BarPatches.Patch, in plane: LumaPlane) {
        let reach = patch.halfLength * (1 + Self.beyond.part) + Self.beyond.pixels
        let step = max(Self.finestStep, 2 * reach / Float(Self.mostSamples))
        let count = Int(2 * reach / step)
        let (c, s) = (cos(patch.direction), sin(patch.direction))
        let height = 2 * patch.halfHeight
        let distance = min(
            max(height * Self.distance.part, Self.distance.limits.lowerBound), Self.distance.limits.upperBound)
        let shift = Int(distance * Self.lean / step) + 1
        guard count > 8 * shift, patch.halfLength >= Self.leastHalfLength else { return nil }
        var likenesses: [Float] = []
        var lines: [[Run]] = []
        var unlike = 0
        var lean: (sum: Float, weight: Float) = (0, 0)
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: 4 * count) { memory in
            let first = UnsafeMutableBufferPointer(rebasing: memory[0..<count])
            let second = UnsafeMutableBufferPointer(rebasing: memory[count..<2 * count])
            let firstSlopes = UnsafeMutableBufferPointer(rebasing: memory[2 * count..<3 * count])
            let secondSlopes = UnsafeMutableBufferPointer(rebasing: memory[3 * count..<4 * count])
            for pair in 0..<Self.pairCount {
                let v = (Float(pair) / Float(Self.pairCount - 1) - 0.5) * Self.spread * height
                for (line, samples, slopes) in [(-0.5 as Float, first, firstSlopes), (0.5, second, secondSlopes)] {
                    let across = v + line * distance
                    plane.sample(
                        x: patch.x - s * across - c * reach, y: patch.y + c * across - s * reach, stepX: c * step,
                        stepY: s * step, into: samples)
                    CLocator_slopes(samples.baseAddress, slopes.baseAddress, Int32(count))
                }
                let (likeness, offset) = Self.likeness(firstSlopes, secondSlopes, shift: shift)
                likenesses.append(likeness)
                guard likeness >= Self.leastLikeness else {
                    unlike += 1
                    // The median is too low now.
                    if unlike > Self.pairCount / 2 { return }
                    continue
                }
                lean.sum += offset * likeness
                lean.weight += likeness
                // Their mean has less noise.
                let whole = Int(offset.rounded())
                for index in max(0, -whole)..<min(count, count - whole) {
                    first[index] = (first[index] &+ second[index &+ whole]) / 2
                }
                lines.append(
                    Self.runs(of: BarEdges.places(on: first), step: step, reach: reach, core: patch.halfLength))
            }
        }
        guard unlike <= Self.pairCount / 2, let best = lines.max(by: { Self.edgeCount($0) < Self.edgeCount($1) }),
            !best.isEmpty
        else { return nil }
        runs = best.map { run in
            // In perspective, lines cross the same bars elsewhere.
            lines.joined().filter { $0.start < run.end && $0.end > run.start }.reduce(into: run) {
                $0.start = min($0.start, $1.start)
                $0.end = max($0.end, $1.end)
            }
        }
        likeness = likenesses.sorted()[likenesses.count / 2]
        // If the second line is shifted forwards, the bars lean.
        direction = patch.direction - atan(lean.sum / lean.weight * step / distance)
    }

    private static func edgeCount(_ runs: [Run]) -> Int { runs.reduce(0) { $0 + $1.edgeCount } }

    /// The highest correlation of two lines' slopes, and the shift of the second one in samples where it is, between samples.
    private static func likeness(
        _ a: UnsafeMutableBufferPointer<Int16>, _ b: UnsafeMutableBufferPointer<Int16>, shift: Int
    ) -> (likeness: Float, shift: Float) {
        let inner = a.count - 2 * shift
        let own = product(a, shift, a, shift, inner)
        let other = product(b, shift, b, shift, inner)
        guard own > 0, other > 0 else { return (0, 0) }
        let values = (-shift...shift).map { offset -> Float in
            let off = Float(offset) / Float(shift)
            return product(a, shift, b, shift + offset, inner) / (own.squareRoot() * other.squareRoot())
                * (1 - shiftPenalty * off * off)
        }
        guard let most = values.max(), let place = values.firstIndex(of: most) else { return (0, 0) }
        var between: Float = 0
        if place > 0, place < values.count - 1 {
            // The top of the parabola through three values.
            let bend = values[place - 1] + values[place + 1] - 2 * most
            if bend < 0 { between = (values[place - 1] - values[place + 1]) / (2 * bend) }
        }
        return (most, Float(place - shift) + between)
    }

    private static func product(
        _ a: UnsafeMutableBufferPointer<Int16>, _ firstA: Int, _ b: UnsafeMutableBufferPointer<Int16>, _ firstB: Int,
        _ count: Int
    ) -> Float {
        guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
        return Float(CLocator_product(a + firstA, b + firstB, Int32(count)))
    }

    /// The runs of edges that reach into the patch.
    /// - Parameters:
    ///   - edges: in samples; `step`: pixels between samples.
    ///   - reach: half of the line in pixels; `core`: half of the patch.
    private static func runs(of edges: [Float], step: Float, reach: Float, core: Float) -> [Run] {
        let places = edges.map { $0 * step - reach }
        let inside = places.filter { abs($0) <= core }
        guard inside.count >= fewestEdges else { return [] }
        let gap = max(widestGap * meanElement(inside), 2)
        var runs: [Run] = []
        var begin = 0
        for index in places.indices where index == places.count - 1 || places[index + 1] - places[index] > gap {
            let run = places[begin...index]
            begin = index + 1
            guard run.count >= fewestEdges, let start = run.first, let end = run.last, end >= -core, start <= core
            else {
                continue
            }
            runs.append(Run(start: start, end: end, edgeCount: run.count, element: meanElement(Array(run))))
        }
        return runs
    }

    /// The mean of the distances between places, except the widest, which may be gaps.
    private static func meanElement(_ places: [Float]) -> Float {
        let widths = zip(places, places.dropFirst()).map { $1 - $0 }.sorted()
        let most = widths[widths.count / 2] * widestElement
        let elements = widths.prefix { $0 <= most }
        return elements.reduce(0, +) / Float(elements.count)
    }
}
