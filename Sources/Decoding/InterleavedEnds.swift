import Glibc
import Vocabulary

/// Whether an Interleaved 2 of 5 ends where a decoder says so. Its start and stop patterns occur among its digits, and it has no check digit: where
/// the picture's edge, a finger or a slanted scan line cuts it, the rest is a shorter number. So the bars are counted along the code's own
/// direction, as far as they go, on three lines. On one of them, there must be as many as the digits have, with start and stop patterns; or none of
/// them may show more, where blur has merged some. No line may show a longer code. And there is a quiet zone at both ends.
///
/// A code that is covered right behind such a pattern, by something as light as paper, can't be told from a shorter one: that is what
/// `minLength` and `maxLength` are for.
struct InterleavedEnds {
    let plane: LumaPlane

    /// How long paper must last, in wide elements: spaces are one wide, and blur makes them longer. ISO/IEC 16390 asks for ten narrow ones, which
    /// are three to five wide ones, and labels are cut tighter than that.
    private static let quietZone = 1.35
    /// The same before the picture's edge, which cuts codes more often than anybody cuts a label just there.
    private static let quietZoneAtEdge = 1.6
    /// How light paper is, as a part of the contrast; and how much it may vary, as a part of it and in steps of luma: narrow bars that blur has made
    /// grey, and glare that grows, are no paper.
    private static let paperLevel = 0.65
    private static let paperRipple = 0.2
    private static let leastRipple = 12
    /// The smallest step that counts as an edge, as a part of the contrast.
    private static let edgeContrast = 0.25
    /// With less contrast, in steps of luma, no bars are visible.
    private static let leastContrast = 8
    /// Luma of what is burnt out.
    private static let burntOut = 250
    /// A shorter line shows nothing.
    private static let leastLength = 24.0
    /// How far from the scan line the direction of the bars is measured, and how far apart the rows are whose mean is taken; in pixels.
    private static let bandReach = 8.0
    private static let rowDistance = 1.0
    /// The part of half a reading that has no end in it. The line may be a little longer than the code, and slanted.
    private static let surelyInside = 0.9
    /// How far on each side of the middle to look, in lengths of the reading.
    private static let reach = 2.0
    /// Where to look, as parts of the bars' height from their middle: dirt looks like bars.
    private static let lines = [0, -0.25, 0.25]

    /// `true` for other symbologies.
    func areSeen(of reading: PassReading) -> Bool {
        guard reading.symbology == .itf || reading.symbology == .itf14 else { return true }
        let line = reading.hasExtent ? reading.corners.middleLine : reading.scanLine ?? reading.corners.middleLine
        let length = line.left.distance(to: line.right)
        guard length >= Self.leastLength else { return false }
        let direction = direction(along: line)
        let height = reading.hasExtent ? reading.corners.topLeft.distance(to: reading.corners.bottomLeft) : 0
        let middle = line.left.middle(to: line.right)
        let (x, y) = direction
        let seen = Self.lines.filter { $0 == 0 || height > 0 }.compactMap { part in
            let centre = Point(x: middle.x - y * part * height, y: middle.y + x * part * height)
            return bars(through: centre, direction, length, reading.isInverted)
        }
        let digits = reading.bytes.count
        // Where bars are slanted, a line through a part of them may leave them sooner than they end.
        if seen.contains(where: { $0.fitMore(than: digits) }) { return false }
        return seen.contains { $0.fit(digits: digits) }
            || seen.contains { $0.areFewer(than: digits) } && !seen.contains { $0.areMore(than: digits) }
    }

    /// The bars and spaces between two quiet zones; `nil` without those.
    private func bars(
        through centre: Point, _ direction: (x: Double, y: Double), _ length: Double, _ isInverted: Bool
    ) -> Bars? {
        let backwards = light(from: centre, (-direction.x, -direction.y), most: Int(length * Self.reach))
        let onwards = light(from: centre, direction, most: Int(length * Self.reach))
        let own = backwards.prefix(Int(length / 2) + 1) + onwards.prefix(Int(length / 2) + 1)
        guard let darkest = own.min(), let lightest = own.max(), lightest - darkest >= Self.leastContrast * Self.rows
        else { return nil }
        let step = max(1, Int(Double(lightest - darkest) * Self.edgeContrast))
        // What is lighter than the paper, or darker than the bars, lies around the code: the step down to the paper would pass for that to the first bar.
        func clamped(_ samples: [Int]) -> [Int] { samples.map { min(max($0, darkest), lightest) } }
        let halves = halves(clamped(backwards), clamped(onwards), step: step)
        let lengths = halves.flatMap { half in
            zip(half.edges, half.edges.dropFirst()).filter { $1.position <= Int(length / 2) }
                .map { $1.position - $0.position }
        }
        .sorted()
        guard !lengths.isEmpty else { return nil }
        // Two of five elements are wide.
        let wide = Double(lengths[lengths.count * 3 / 4])
        let (quiet, quietAtEdge) = (
            Int((wide * Self.quietZone).rounded(.up)), Int((wide * Self.quietZoneAtEdge).rounded(.up))
        )
        // A decoder saw bars as far as that: blur may have merged some of them here.
        let inside = Int(length / 2 * Self.surelyInside)
        guard let back = halves[0].edges(toQuiet: quiet, atEdge: quietAtEdge, notBefore: inside, isInverted),
            let forth = halves[1].edges(toQuiet: quiet, atEdge: quietAtEdge, notBefore: inside, isInverted),
            isPaper(backwards, behind: back, quiet, length, isInverted),
            isPaper(onwards, behind: forth, quiet, length, isInverted)
        else { return nil }
        return Bars(edges: back.reversed().map { -$0.position } + forth.map(\.position))
    }

    /// Whether a quiet zone is as light as the paper between the bars (as dark, if it is inverted): something else may cover bars. So may glare,
    /// which is burnt out where the paper isn't.
    private func isPaper(_ samples: [Int], behind edges: [Edge], _ quiet: Int, _ length: Double, _ isInverted: Bool)
        -> Bool
    {
        guard let last = edges.last?.position else { return false }
        // Where blur has merged the last bars, the reading's own end.
        let isMerged = last < Int(length / 2 * Self.surelyInside)
        let end = isMerged ? Int(length / 2) : last
        guard end + quiet <= samples.count else { return false }
        // Behind what blur makes of the last bar.
        let zone = samples[(end + quiet / 2)..<end + quiet].sorted()
        let inside = samples.prefix(Int(length / 4) + 1)
        guard let darkest = inside.min(), let lightest = inside.max() else { return false }
        let contrast = Double(lightest - darkest)
        let level = Double(isInverted ? lightest - zone[zone.count / 2] : zone[zone.count / 2] - darkest)
        guard level >= Self.paperLevel * contrast else { return false }
        let ripple = zone[zone.count - 1] - zone[0]
        guard isMerged || ripple <= max(Int(Self.paperRipple * contrast), Self.leastRipple * Self.rows) else {
            return false
        }
        // Bars in brighter light than the code's own are lighter than its paper.
        let step = Self.edgeContrast * contrast
        var turning = isInverted ? Int.max : Int.min
        for light in samples[end..<end + quiet] {
            turning = isInverted ? min(turning, light) : max(turning, light)
            guard Double(abs(turning - light)) < step else { return false }
        }
        // Glare grows: the lightest of it may be right behind the bar, and washed out bars behind that.
        let burntOut = Self.burntOut * Self.rows
        return lightest >= burntOut || samples[end..<end + quiet].allSatisfy { $0 < burntOut }
    }

    // MARK: Bars

    private struct Bars {
        /// From the code's left end, in pixels.
        var edges: [Int]

        /// Two bars and two spaces to begin with, five elements a digit, two bars and a space at the end: one edge more than elements.
        private static func edges(ofDigits digits: Int) -> Int { 8 + 5 * digits }

        func areFewer(than digits: Int) -> Bool { edges.count < Self.edges(ofDigits: digits) }
        func areMore(than digits: Int) -> Bool { edges.count > Self.edges(ofDigits: digits) }

        /// Whether they are a longer code, from start to stop.
        func fitMore(than digits: Int) -> Bool {
            let own = (edges.count - Self.edges(ofDigits: 0)) / 5
            return own > digits && own % 2 == 0 && fit(digits: own)
        }

        func fit(digits: Int) -> Bool {
            guard edges.count == Self.edges(ofDigits: digits) else { return false }
            let lengths = zip(edges, edges.dropFirst()).map { $1 - $0 }
            let isWide = [lengths.isWide(from: 0), lengths.isWide(from: 1)]
            let kinds = lengths.enumerated().map { isWide[$0 % 2]($1) }
            return kinds.prefix(4) == [false, false, false, false] && kinds.suffix(3) == [true, false, false]
        }
    }

    private struct Edge {
        /// In pixels from the middle of the reading.
        var position: Int
        /// On the way from there.
        var isFalling: Bool
    }

    /// What is seen from the middle of the reading in one direction.
    private struct Half {
        var edges: [Edge]
        /// How many pixels are looked at: to the picture's edge, or as far as makes sense.
        var room: Int

        /// The edges from the middle to the quiet zone, which is `quiet` pixels long; `nil` without one.
        func edges(toQuiet quiet: Int, atEdge: Int, notBefore inside: Int, _ isInverted: Bool) -> [Edge]? {
            for (index, edge) in edges.enumerated() {
                let isLast = index == edges.count - 1
                let next = isLast ? room : edges[index + 1].position
                guard next - max(edge.position, inside) >= (isLast ? atEdge : quiet) else { continue }
                // Behind the last bar there is paper; behind a last space, something that covers the code.
                return edge.position < inside || edge.isFalling == isInverted ? Array(edges[...index]) : nil
            }
            return nil
        }
    }

    /// Edges are found in one go: an edge in the middle would count twice.
    private func halves(_ backwards: [Int], _ onwards: [Int], step: Int) -> [Half] {
        let middle = max(0, backwards.count - 1)
        let edges = edges(in: backwards.reversed() + onwards.dropFirst(backwards.isEmpty ? 0 : 1), step: step)
        return [
            Half(
                edges: edges.reversed().filter { $0.position < middle }.map {
                    Edge(position: middle - $0.position, isFalling: !$0.isFalling)
                }, room: backwards.count - 1),
            Half(
                edges: edges.filter { $0.position >= middle }.map {
                    Edge(position: $0.position - middle, isFalling: $0.isFalling)
                }, room: onwards.count - 1),
        ]
    }

    /// Not by `LineEdges`, which places edges half way up: with it, one ITF fewer of the corpus is read.
    private func edges(in samples: [Int], step: Int) -> [Edge] {
        guard var low = samples.first, var high = samples.first else { return [] }
        var edges: [Edge] = []
        for (index, value) in samples.enumerated() {
            low = min(low, value)
            high = max(high, value)
            let turnsDown = edges.last?.isFalling != true && high - value >= step
            let turnsUp = edges.last?.isFalling != false && value - low >= step
            guard turnsDown || turnsUp else { continue }
            edges.append(Edge(position: index, isFalling: turnsDown))
            (low, high) = (value, value)
        }
        return edges
    }

    // MARK: Light

    /// Rows whose sum is taken.
    private static let rows = 5

    /// Along a unit vector, a sample a pixel, to the picture's edge at most.
    private func light(from point: Point, _ direction: (x: Double, y: Double), most: Int) -> [Int] {
        let (x, y) = direction
        let room = room(from: point, x, y, most: most)
        guard room > 0 else { return [] }
        var sums = [Int](repeating: 0, count: room + 1)
        var row = [Int16](repeating: 0, count: room + 1)
        for number in 0..<Self.rows {
            let across = Double(number - Self.rows / 2) * Self.rowDistance
            row.withUnsafeMutableBufferPointer {
                plane.sample(
                    x: Float(point.x - y * across), y: Float(point.y + x * across), stepX: Float(x), stepY: Float(y),
                    into: $0)
            }
            for index in sums.indices { sums[index] += Int(row[index]) }
        }
        return sums
    }

    /// How many pixels there are from a point to the picture's edge.
    private func room(from point: Point, _ x: Double, _ y: Double, most: Int) -> Int {
        func steps(_ at: Double, _ step: Double, _ limit: Int) -> Double {
            if step > 0 { return (Double(limit) - 0.5 - at) / step }
            return step < 0 ? (at - 0.5) / -step : .infinity
        }
        return Int(max(0, min(steps(point.x, x, plane.width), steps(point.y, y, plane.height), Double(most))))
    }

    /// A unit vector across the bars, from the reading's left to its right: a scan line may be slanted. From the gradients beside the line.
    private func direction(along line: PassReading.ScanLine) -> (x: Double, y: Double) {
        let length = line.left.distance(to: line.right)
        let (alongX, alongY) = ((line.right.x - line.left.x) / length, (line.right.y - line.left.y) / length)
        var (xx, yy, xy) = (0, 0, 0)
        for along in stride(from: 0, through: length, by: 1) {
            for across in stride(from: -Self.bandReach, through: Self.bandReach, by: 2) {
                let x = Int(line.left.x + alongX * along - alongY * across)
                let y = Int(line.left.y + alongY * along + alongX * across)
                guard x > 0, y > 0, x < plane.width - 1, y < plane.height - 1 else { continue }
                let row = plane.row(y)
                let gx = Int(row[x + 1]) - Int(row[x - 1])
                let gy = Int(plane.row(y + 1)[x]) - Int(plane.row(y - 1)[x])
                xx += gx * gx
                yy += gy * gy
                xy += gx * gy
            }
        }
        let angle = atan2(2 * Double(xy), Double(xx - yy)) / 2
        let (x, y) = (cos(angle), sin(angle))
        return x * alongX + y * alongY >= 0 ? (x, y) : (-x, -y)
    }
}

extension [Int] {
    /// Tells wide elements from narrow ones among every second one, bars or spaces: ink runs, and makes all bars wider and all spaces narrower.
    fileprivate func isWide(from first: Int) -> (Int) -> Bool {
        let sorted = stride(from: first, to: count, by: 2).map { self[$0] }.sorted()
        // Two of five are wide, and fewer of those in the start and stop patterns.
        let (narrow, wide) = (sorted[sorted.count / 4], sorted[sorted.count * 5 / 6])
        return { 2 * $0 > narrow + wide }
    }
}
