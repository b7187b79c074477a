/// Where an EAN or UPC stands on a line that shows more than that: an add-on, the edge of a label, another code. Between two quiet zones, as long as one
/// such code, with no gap in it that is wider than its widest space.
struct EnclosedBars {
    /// Places of the outermost edges, in pixels along the line.
    let left: Float
    let right: Float
    /// How far paper goes on beyond these, in pixels.
    let quiet: (left: Float, right: Float)

    /// A quiet zone has seven modules and more, of which blur and dirt may take some; a space in a code has four.
    private static let leastQuiet: Float = 4.6
    /// Where bands aren't aligned yet, elements seem to be one: so many modules, and less than this part of the quiet zones.
    private static let widestSpace = (modules: 7.5 as Float, ofQuiet: 0.85 as Float)
    /// Of a code's edges, this part must show: blur hides some.
    private static let leastEdges: Float = 0.5

    /// Where bars begin and end, of each layout.
    private static let edges: [(layout: BarLayout, most: Int)] = [(.ean13, 60), (.ean8, 44), (.upcE, 34)]

    /// `nil` if there is none.
    init?(_ profile: BarProfile, length: Float) {
        let edges = ProfileEdges(profile, reach: ProfileEdges.reach * length).places
        var best: (first: Int, last: Int, edges: Int)?
        for (layout, most) in Self.edges {
            let least = Int(Self.leastEdges * Float(most))
            for first in edges.indices where edges[first].isFalling {
                for last in edges.indices.dropFirst(first + least - 1).prefix(most - least + 1)
                where !edges[last].isFalling && last - first + 1 > best?.edges ?? 0 {
                    let module = (edges[last].place - edges[first].place) / layout.modules
                    let before = first > 0 ? edges[first].place - edges[first - 1].place : .infinity
                    let behind = last < edges.count - 1 ? edges[last + 1].place - edges[last].place : .infinity
                    let quiet = min(before, behind)
                    guard quiet >= Self.leastQuiet * module else { continue }
                    let widest = max(
                        Self.leastQuiet * module,
                        min(Self.widestSpace.modules * module, Self.widestSpace.ofQuiet * quiet))
                    guard (first..<last).allSatisfy({ edges[$0 + 1].place - edges[$0].place < widest }) else {
                        continue
                    }
                    best = (first, last, last - first + 1)
                }
            }
        }
        guard let best else { return nil }
        (left, right) = (edges[best.first].place, edges[best.last].place)
        quiet = (
            best.first > 0 ? left - edges[best.first - 1].place : .infinity,
            best.last < edges.count - 1 ? edges[best.last + 1].place - right : .infinity
        )
    }
}

extension EnclosedBars {
    /// Ends that are no farther off, as a part of the line's length, are those of the line; and something that is farther off than the second figure doesn't
    /// disturb.
    private static let nearby = (ends: 0.06 as Float, others: 0.15 as Float)

    /// `nil` if it is about the whole line, with nothing beside it.
    func line(on frame: BarFrame, height: Double) -> CodeLine? {
        let off = max(abs(left), abs(right - frame.length)) / frame.length
        let paper = min(quiet.left, quiet.right) / frame.length
        guard off > Self.nearby.ends || paper < Self.nearby.others else { return nil }
        return CodeLine(left: frame.picturePoint(along: left), right: frame.picturePoint(along: right), height: height)
    }
}

/// Where the light along a line falls and rises, whatever its level.
private struct ProfileEdges {
    /// Half way between a light and a dark place, in pixels along the line.
    let places: [(place: Float, isFalling: Bool)]

    /// How far around a place its contrast is looked for, as a part of the line's length.
    static let reach: Float = 0.06
    /// A lower step isn't an edge, as a part of the contrast around it and of the line's usual one.
    private static let leastStep = (ofLocal: 0.22 as Float, ofUsual: 0.1 as Float, absolute: 0.1 as Float)

    init(_ profile: BarProfile, reach: Float) {
        // As the eye sees it: beside a bright ground, the bars of a dim label would be nothing.
        let (at, light) = (profile.places, profile.light.map { max($0, 0).squareRoot() })
        var places: [(place: Float, isFalling: Bool)] = []
        let contrast = Self.contrast(at, light, reach: reach)
        let usual = contrast.isEmpty ? 0 : contrast.sorted()[contrast.count / 2]
        var (low, high, turn) = (0, 0, 0)
        var isRising: Bool?
        for index in light.indices.dropFirst() {
            if light[index] < light[low] { low = index }
            if light[index] > light[high] { high = index }
            let step = max(
                contrast[index] * Self.leastStep.ofLocal, usual * Self.leastStep.ofUsual, Self.leastStep.absolute)
            let isTop = isRising != false && light[high] - light[index] >= step
            let isBottom = isRising != true && light[index] - light[low] >= step
            guard isTop || isBottom else { continue }
            let here = isTop ? high : low
            if let isRising { places += Self.edges(at, light, turn, here, reach).map { ($0, !isRising) } }
            (turn, isRising, low, high) = (here, !isTop, index, index)
        }
        // What follows the last turn ends with the line.
        if let isRising {
            places += Self.edges(at, light, turn, isRising ? high : low, reach).map { ($0, !isRising) }
        }
        self.places = places
    }

    /// The difference of the lightest and the darkest sample around each.
    private static func contrast(_ at: [Float], _ light: [Float], reach: Float) -> [Float] {
        var (from, to) = (0, 0)
        return at.indices.map { index in
            while at[from] < at[index] - reach { from += 1 }
            while to < at.count, at[to] <= at[index] + reach { to += 1 }
            var (lowest, highest) = (light[index], light[index])
            for other in from..<to {
                lowest = min(lowest, light[other])
                highest = max(highest, light[other])
            }
            return highest - lowest
        }
    }

    /// A landing in the steps between two turning points: the paper between a bar and ground that is brighter still. It is at least so long, as a part
    /// of `reach`, changes by at most this part of the whole step, and has as much as that before and behind it.
    private static let landing = (length: 0.5 as Float, change: 0.08 as Float, steps: 0.08 as Float)

    /// The edge between two turning points; two, if there is a landing between them.
    private static func edges(_ at: [Float], _ light: [Float], _ from: Int, _ to: Int, _ reach: Float) -> [Float] {
        let height = abs(light[to] - light[from])
        var longest: (from: Int, to: Int)?
        var start = from
        for end in from..<max(from, to) {
            while abs(light[end] - light[start]) > landing.change * height { start += 1 }
            let length = at[end] - at[start]
            guard length >= landing.length * reach, longest.map({ length > at[$0.to] - at[$0.from] }) ?? true,
                abs(light[start] - light[from]) >= landing.steps * height,
                abs(light[to] - light[end]) >= landing.steps * height
            else { continue }
            longest = (start, end)
        }
        guard let longest else { return [crossing(at, light, from, to)].compactMap(\.self) }
        return [crossing(at, light, from, longest.from), crossing(at, light, longest.to, to)].compactMap(\.self)
    }

    /// Where the light between two turning points is as far from one as from the other; `nil` if they are the same.
    private static func crossing(_ at: [Float], _ light: [Float], _ from: Int, _ to: Int) -> Float? {
        let middle = (light[from] + light[to]) / 2
        for index in from..<max(from, to) where (light[index] - middle) * (light[index + 1] - middle) <= 0 {
            let step = light[index + 1] - light[index]
            let part = step == 0 ? 0.5 : (middle - light[index]) / step
            return at[index] + part * (at[index + 1] - at[index])
        }
        return nil
    }
}
