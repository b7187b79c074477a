/// The likeliest patterns of a code between two ends that are about a module off, on a line that isn't quite even: Viterbi over patterns and
/// the places of their boundaries. Quick rather than exact: what it says is a start for `ProfileFit`.
struct RoughSearch {
    let layout: RetailLayout

    /// Samples a module.
    static let density = 4
    /// Boundaries may be this many samples from where the ends would have them.
    private static let slack = 6
    /// Samples on each side of a boundary that are explained by the two patterns that meet there.
    private static let half = 14
    private static let window = 2 * half
    /// For a boundary that moves a sample against the one before, in squared darkness.
    private static let movePenalty: Float = 0.02

    struct Find {
        let layout: RetailLayout
        var patterns: [Int]
        /// Of each boundary between pieces, in pixels along the line; with its number of modules from the left end.
        var boundaries: [(module: Int, place: Float)]
        /// Pixels.
        var moduleWidth: Float
        /// In modules, everything that blurs.
        var sigma: Float
        /// Part of the profile's variance that is explained.
        var explained: Float
    }

    func find(_ profile: EvenProfile, from left: Float, to right: Float) -> Find? {
        let module = (right - left) / Float(layout.moduleCount)
        guard module > 0.3 else { return nil }
        let density = Self.density
        let lead = 6 * density
        let count = layout.moduleCount * density + 2 * lead
        let samples = (0..<count).map {
            min(max(profile.at(left + Float($0 - lead) / Float(density) * module), -0.2), 1.3)
        }
        let inside = samples[lead..<count - lead]
        let mean = inside.reduce(0, +) / Float(inside.count)
        let variance = inside.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard variance > 0 else { return nil }
        let sigma = Self.sigma(inside)
        let response = EdgeResponse(sigma: sigma, pixel: 0.1)
        let shapes = BarPattern.all.map { Self.shapes($0, response) }
        return search(samples, lead, shapes, left, module, sigma, variance)
    }

    /// From the steepest slopes: a lone edge blurred by sigma has 1 / (sigma * sqrt(2 pi)).
    private static func sigma(_ samples: ArraySlice<Float>) -> Float {
        let slopes = zip(samples.dropFirst(), samples).map { abs($0 - $1) * Float(density) }.sorted()
        let steepest = slopes[slopes.count * 19 / 20]
        return min(max(0.4 / max(steepest, 0.01), 0.3), 1.3)
    }

    /// Darkness around a boundary due to a pattern that begins there, and to one that ends there.
    private static func shapes(_ pattern: BarPattern, _ response: EdgeResponse) -> (begins: [Float], ends: [Float]) {
        func shape(_ origin: Int) -> [Float] {
            (0..<window).map { index in
                let place = Float(index - half) / Float(density)
                var sum: Float = 0
                for (number, edge) in pattern.edges.enumerated() {
                    let value = response.at(place - Float(edge - origin)).x
                    sum += number % 2 == 0 ? value : -value
                }
                return sum
            }
        }
        return (shape(0), shape(pattern.width))
    }

    private func search(
        _ samples: [Float], _ lead: Int, _ shapes: [(begins: [Float], ends: [Float])], _ left: Float, _ module: Float,
        _ sigma: Float, _ variance: Float
    ) -> Find? {
        let pieces = layout.pieces
        let offsets = 2 * Self.slack + 1
        let density = Self.density
        let most = 20
        var costs = [Float](repeating: 0, count: offsets * most)
        var moved = costs
        var movedFrom = [Int8](repeating: 0, count: offsets * most)
        // By boundary, offset and pattern: the offset and the pattern before.
        var origins = [(offset: Int8, pattern: Int8)](
            repeating: (0, 0), count: (pieces.count - 1) * offsets * most)
        var crossed = [Float](repeating: 0, count: most * most)
        var pair: (Range<Int>, Range<Int>)?
        for boundary in 0..<pieces.count - 1 {
            let (before, after) = (pieces[boundary], pieces[boundary + 1])
            let (previous, next) = (before.choices, after.choices)
            // A guard at an end is explained whole, with a little of its quiet zone.
            let from = boundary == 0 ? 0 : Self.half - min(Self.half, before.width * density / 2)
            let to = boundary == pieces.count - 2 ? Self.window : Self.half + min(Self.half, after.width * density / 2)
            func squares(_ shape: [Float]) -> Float { (from..<to).reduce(0) { $0 + shape[$1] * shape[$1] } }
            if pair?.0 != previous || pair?.1 != next {
                for (p, first) in previous.enumerated() {
                    for (n, second) in next.enumerated() {
                        let (ends, begins) = (shapes[first].ends, shapes[second].begins)
                        var sum: Float = 0
                        for index in from..<to { sum += ends[index] * begins[index] }
                        crossed[p * most + n] = 2 * sum
                    }
                }
                pair = (previous, next)
            }
            let endSquares = previous.map { squares(shapes[$0].ends) }
            let beginSquares = next.map { squares(shapes[$0].begins) }
            // Where a boundary may have come from.
            if boundary == 0 {
                moved = costs
            } else {
                for offset in 0..<offsets {
                    for p in 0..<previous.count {
                        var best = Float.infinity
                        var source = offset
                        for other in max(0, offset - 1)...min(offsets - 1, offset + 1) {
                            let cost = costs[other * most + p] + (other == offset ? 0 : Self.movePenalty)
                            if cost < best { (best, source) = (cost, other) }
                        }
                        moved[offset * most + p] = best
                        movedFrom[offset * most + p] = Int8(source)
                    }
                }
            }
            for offset in 0..<offsets {
                let start = lead + after.start * density + offset - Self.slack - Self.half
                var square: Float = 0
                for index in from..<to { square += samples[start + index] * samples[start + index] }
                func product(_ shape: [Float]) -> Float {
                    samples.withUnsafeBufferPointer { samples in
                        shape.withUnsafeBufferPointer { shape in
                            var sum: Float = 0
                            for index in from..<to { sum += samples[start &+ index] * shape[index] }
                            return sum
                        }
                    }
                }
                var arrivals = [Float](repeating: 0, count: previous.count)
                for (p, pattern) in previous.enumerated() {
                    arrivals[p] = moved[offset * most + p] + endSquares[p] - 2 * product(shapes[pattern].ends)
                }
                for (n, pattern) in next.enumerated() {
                    var best = Float.infinity
                    var source = 0
                    for p in 0..<previous.count {
                        let cost = arrivals[p] + crossed[p &* most &+ n]
                        if cost < best { (best, source) = (cost, p) }
                    }
                    costs[offset * most + n] = best + square + beginSquares[n] - 2 * product(shapes[pattern].begins)
                    origins[(boundary * offsets + offset) * most + n] = (
                        boundary == 0 ? Int8(offset) : movedFrom[offset * most + source], Int8(source)
                    )
                }
            }
        }
        // The last piece is a guard: one pattern.
        guard var offset = (0..<offsets).min(by: { costs[$0 * most] < costs[$1 * most] }) else { return nil }
        let cost = costs[offset * most]
        var choice = 0
        var patterns = [Int](repeating: 0, count: pieces.count)
        var boundaries: [(module: Int, place: Float)] = []
        patterns[pieces.count - 1] = pieces[pieces.count - 1].choices.lowerBound
        for boundary in (0..<pieces.count - 1).reversed() {
            let start = pieces[boundary + 1].start
            boundaries.append((start, left + (Float(start) + Float(offset - Self.slack) / Float(density)) * module))
            let origin = origins[(boundary * offsets + offset) * most + choice]
            (offset, choice) = (Int(origin.offset), Int(origin.pattern))
            patterns[boundary] = pieces[boundary].choices.lowerBound + choice
        }
        return Find(
            layout: layout, patterns: patterns, boundaries: boundaries.reversed(), moduleWidth: module, sigma: sigma,
            explained: 1 - cost / variance)
    }
}
