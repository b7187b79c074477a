/// The likeliest patterns of a code between two ends that are about a module off, on a line that isn't quite even: Viterbi over patterns and
/// the places of their boundaries. Quick rather than exact: what it says is a start for `ProfileFit`.
struct RoughSearch {
    let layout: BarLayout

    /// Samples a module.
    static let density = 4
    /// Boundaries may be this many samples from where the ends would have them.
    private static let slack = 10
    /// Samples on each side of a boundary that are explained by the two patterns that meet there, a multiple of two.
    private let half: Int
    private let window: Int
    /// Patterns of a piece at most, and vectors of four that hold one figure for each.
    private let most: Int
    private let lanes: Int
    /// For a boundary that moves a sample against the one before, in squared darkness.
    private static let movePenalty: Float = 0.02

    init(layout: BarLayout) {
        self.layout = layout
        // A window has whole vectors.
        half = (layout.widest * Self.density / layout.resolution + 3) / 4 * 2
        window = 2 * half
        most = layout.mostChoices
        lanes = (most + 3) / 4
    }

    struct Find {
        let layout: BarLayout
        var patterns: [Int]
        /// The place of each boundary between pieces, in pixels along the line; with its number of modules from the left end.
        var boundaries: [(module: Float, place: Float)]
        /// Pixels.
        var moduleWidth: Float
        /// In modules, everything that blurs.
        var sigma: Float
        /// Part of the profile's variance that is explained.
        var explained: Float
    }

    func find(_ profile: EvenProfile, from left: Float, to right: Float) -> Find? {
        let module = (right - left) / layout.modules
        guard module > 0.3 else { return nil }
        let density = Self.density
        let lead = max(7 * density, half + Self.slack)
        let count = Int(layout.modules * Float(density)) + 2 * lead
        let samples = (0..<count).map {
            min(max(profile.at(left + Float($0 - lead) / Float(density) * module), -0.2), 1.3)
        }
        let inside = samples[lead..<count - lead]
        let mean = inside.reduce(0, +) / Float(inside.count)
        let variance = inside.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        guard variance > 0 else { return nil }
        let sigma = Self.sigma(inside)
        let response = EdgeResponse(sigma: sigma, pixel: 0.1)
        var shapes: [(begins: [Float], ends: [Float])] = Array(repeating: ([], []), count: BarPattern.all.count)
        for pattern in layout.patterns.joined() { shapes[pattern] = self.shapes(BarPattern.all[pattern], response) }
        return search(samples, lead, shapes, left, module, sigma, variance)
    }

    private static func sigma(_ samples: ArraySlice<Float>) -> Float {
        min(max(EdgeResponse.sigma(steepestOf: samples, step: 1 / Float(density)), 0.3), 1.3)
    }

    /// Darkness around a boundary due to a pattern that begins there, and to one that ends there.
    private func shapes(_ pattern: BarPattern, _ response: EdgeResponse) -> (begins: [Float], ends: [Float]) {
        let step = 1 / Float(layout.resolution)
        func shape(_ origin: Int) -> [Float] {
            let edges = pattern.edges.map { Float($0 - origin) * step }
            return (0..<window).map { response.darkness(edges, at: Float($0 - half) / Float(Self.density)) }
        }
        return (shape(0), shape(pattern.width))
    }

    /// Samples of a window, four at a time.
    private typealias Window = [SIMD4<Float>]

    private func window(_ shape: [Float], _ range: Range<Int>) -> Window {
        (0..<window / 4).map { block in
            var out = SIMD4<Float>.zero
            for lane in 0..<4 where range.contains(4 * block + lane) { out[lane] = shape[4 * block + lane] }
            return out
        }
    }

    @inline(__always)
    private static func product(
        _ samples: UnsafePointer<Float>, _ shape: UnsafePointer<SIMD4<Float>>, _ blocks: Int
    ) -> Float {
        var sum = SIMD4<Float>.zero
        for block in 0..<blocks {
            let seen = UnsafeRawPointer(samples + 4 &* block).loadUnaligned(as: SIMD4<Float>.self)
            sum += seen * shape[block]
        }
        return sum.sum()
    }

    private func search(
        _ samples: [Float], _ lead: Int, _ shapes: [(begins: [Float], ends: [Float])], _ left: Float, _ module: Float,
        _ sigma: Float, _ variance: Float
    ) -> Find? {
        let pieces = layout.pieces
        let offsets = 2 * Self.slack + 1
        let density = Self.density
        let (most, lanes, half, blocks) = (most, lanes, half, window / 4)
        var costs = [Float](repeating: 0, count: offsets * most)
        var moved = costs
        var movedFrom = [Int8](repeating: 0, count: offsets * most)
        // By boundary, offset and pattern: the offset and the pattern before.
        var origins = [(offset: Int8, pattern: Int8)](
            repeating: (0, 0), count: (pieces.count - 1) * offsets * most)
        // By pattern before: what its overlap with each pattern behind costs.
        var crossed = [SIMD4<Float>](repeating: .zero, count: most * lanes)
        var squared = [SIMD4<Float>](repeating: .zero, count: lanes)
        var endings: Window = []
        var beginnings: Window = []
        var endSquares: [Float] = []
        var known: (Range<Int>, Range<Int>, Int, Int)?
        for boundary in 0..<pieces.count - 1 {
            let (before, after) = (pieces[boundary], pieces[boundary + 1])
            let (previous, next) = (before.choices, after.choices)
            // A piece at an end is explained whole, with a little of its quiet zone.
            let (beyond, isLast) = (density / 2, boundary == pieces.count - 2)
            let (left, right) = (before.width * density / layout.resolution, after.width * density / layout.resolution)
            let from = half - min(half, boundary == 0 ? left + beyond : left / 2)
            let to = half + min(half, isLast ? right + beyond : right / 2)
            if known.map({ $0 == (previous, next, from, to) }) != true {
                known = (previous, next, from, to)
                endings = previous.flatMap { window(shapes[$0].ends, from..<to) }
                beginnings = next.flatMap { window(shapes[$0].begins, from..<to) }
                func product(_ a: Window, _ i: Int, _ b: Window, _ j: Int) -> Float {
                    var sum = SIMD4<Float>.zero
                    for block in 0..<blocks { sum += a[i * blocks + block] * b[j * blocks + block] }
                    return sum.sum()
                }
                endSquares = (0..<previous.count).map { product(endings, $0, endings, $0) }
                for n in 0..<next.count {
                    squared[n / 4][n % 4] = product(beginnings, n, beginnings, n)
                    for p in 0..<previous.count {
                        crossed[p * lanes + n / 4][n % 4] = 2 * product(endings, p, beginnings, n)
                    }
                }
            }
            // Where a boundary may have come from.
            if boundary > 0 {
                for offset in 0..<offsets {
                    for p in 0..<previous.count {
                        var best = costs[offset * most + p]
                        var source = offset
                        if offset > 0, costs[(offset - 1) * most + p] + Self.movePenalty < best {
                            (best, source) = (costs[(offset - 1) * most + p] + Self.movePenalty, offset - 1)
                        }
                        if offset + 1 < offsets, costs[(offset + 1) * most + p] + Self.movePenalty < best {
                            (best, source) = (costs[(offset + 1) * most + p] + Self.movePenalty, offset + 1)
                        }
                        moved[offset * most + p] = best
                        movedFrom[offset * most + p] = Int8(source)
                    }
                }
            }
            let start = lead + after.start * density / layout.resolution - Self.slack - half
            samples.withUnsafeBufferPointer { samples in
                endings.withUnsafeBufferPointer { endings in
                    beginnings.withUnsafeBufferPointer { beginnings in
                        crossed.withUnsafeBufferPointer { crossed in
                            guard let samples = samples.baseAddress, let endings = endings.baseAddress,
                                let beginnings = beginnings.baseAddress
                            else { return }
                            for offset in 0..<offsets {
                                let seen = samples + start + offset
                                var square: Float = 0
                                for index in from..<to { square += seen[index] * seen[index] }
                                var best = [SIMD4<Float>](repeating: SIMD4(repeating: .infinity), count: lanes)
                                var source = [SIMD4<Int32>](repeating: .zero, count: lanes)
                                for p in 0..<previous.count {
                                    let arrival =
                                        moved[offset * most + p] + endSquares[p]
                                        - 2 * Self.product(seen, endings + p * blocks, blocks)
                                    for lane in 0..<lanes {
                                        let cost = crossed[p &* lanes &+ lane] + arrival
                                        let isBetter = cost .< best[lane]
                                        best[lane].replace(with: cost, where: isBetter)
                                        source[lane].replace(with: SIMD4(repeating: Int32(p)), where: isBetter)
                                    }
                                }
                                for n in 0..<next.count {
                                    let (lane, place) = (n / 4, n % 4)
                                    costs[offset * most + n] =
                                        best[lane][place] + square + squared[lane][place]
                                        - 2 * Self.product(seen, beginnings + n * blocks, blocks)
                                    let p = Int(source[lane][place])
                                    origins[(boundary * offsets + offset) * most + n] = (
                                        boundary == 0 ? Int8(offset) : movedFrom[offset * most + p], Int8(p)
                                    )
                                }
                            }
                        }
                    }
                }
            }
        }
        // The last piece has one pattern.
        guard var offset = (0..<offsets).min(by: { costs[$0 * most] < costs[$1 * most] }) else { return nil }
        let cost = costs[offset * most]
        var choice = 0
        var patterns = [Int](repeating: 0, count: pieces.count)
        var boundaries: [(module: Float, place: Float)] = []
        patterns[pieces.count - 1] = pieces[pieces.count - 1].choices.lowerBound
        for boundary in (0..<pieces.count - 1).reversed() {
            let start = Float(pieces[boundary + 1].start) / Float(layout.resolution)
            boundaries.append((start, left + (start + Float(offset - Self.slack) / Float(density)) * module))
            let origin = origins[(boundary * offsets + offset) * most + choice]
            (offset, choice) = (Int(origin.offset), Int(origin.pattern))
            patterns[boundary] = pieces[boundary].choices.lowerBound + choice
        }
        return Find(
            layout: layout, patterns: patterns, boundaries: boundaries.reversed(), moduleWidth: module, sigma: sigma,
            explained: 1 - cost / variance)
    }
}
