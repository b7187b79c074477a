/// The best patterns for a fitted profile: Viterbi over the pieces, where neighbours blur into each other. And for every pattern that any
/// piece might have instead, the best patterns with it.
struct FineSearch {
    private(set) var best: [Int] = []
    /// Others, each with another pattern somewhere, the best first; with the sum of squares that it has above `best`'s, as far as it can be
    /// told without refitting.
    private(set) var others: [(patterns: [Int], excess: Float)] = []

    /// Patterns of a piece that are searched. Where there are more, as in Code 128, those that the piece resembles most between what was found on
    /// either side of it.
    private static let most = 20

    /// - Parameter patterns: what was found so far, one for each piece.
    init(_ fit: ProfileFit, _ patterns: [Int], mostOthers: Int) {
        let pieces = Self.searched(fit, patterns)
        let costs = Self.costs(fit, pieces)
        let most = Self.most
        // Least sums up to a boundary for each pattern behind it, and from there on; and which pattern they came through.
        let count = pieces.count
        var forth = [[Float]](repeating: [Float](repeating: 0, count: most), count: count)
        var back = forth
        var before = [[Int]](repeating: [Int](repeating: 0, count: most), count: count)
        var behind = before
        for boundary in 0..<count - 1 {
            for n in 0..<pieces[boundary + 1].choices.count {
                var least = Float.infinity
                for p in 0..<pieces[boundary].choices.count {
                    let cost = forth[boundary][p] + costs[boundary][p * most + n]
                    if cost < least { (least, before[boundary + 1][n]) = (cost, p) }
                }
                forth[boundary + 1][n] = least
            }
        }
        for boundary in (0..<count - 1).reversed() {
            for p in 0..<pieces[boundary].choices.count {
                var least = Float.infinity
                for n in 0..<pieces[boundary + 1].choices.count {
                    let cost = back[boundary + 1][n] + costs[boundary][p * most + n]
                    if cost < least { (least, behind[boundary][p]) = (cost, n) }
                }
                back[boundary][p] = least
            }
        }
        func path(through piece: Int, _ choice: Int) -> [Int] {
            var patterns = [Int](repeating: 0, count: count)
            var current = choice
            for index in (0...piece).reversed() {
                patterns[index] = pieces[index].choices[current]
                current = before[index][current]
            }
            current = choice
            for index in piece..<count {
                patterns[index] = pieces[index].choices[current]
                current = behind[index][current]
            }
            return patterns
        }
        let least = forth[count - 1][0]
        best = path(through: count - 1, 0)
        var rivals: [(piece: Int, choice: Int, excess: Float)] = []
        for (number, piece) in pieces.enumerated() where piece.choices.count > 1 {
            for choice in piece.choices.indices where piece.choices[choice] != best[number] {
                rivals.append((number, choice, forth[number][choice] + back[number][choice] - least))
            }
        }
        rivals.sort { $0.excess < $1.excess }
        for rival in rivals {
            let patterns = path(through: rival.piece, rival.choice)
            if !others.contains(where: { $0.patterns == patterns }) { others.append((patterns, rival.excess)) }
            if others.count == mostOthers { break }
        }
    }

    /// A piece of the layout with the patterns that are searched.
    private struct Piece {
        let choices: [Int]
        let start: Int
        let width: Int
    }

    private static func searched(_ fit: ProfileFit, _ patterns: [Int]) -> [Piece] {
        let layout = fit.layout
        let likely = layout.mostRivals > most ? likely(fit, patterns) : []
        return layout.pieces.enumerated().map { number, piece in
            Piece(
                choices: piece.rivals.count > most ? likely[number] : Array(piece.rivals), start: piece.start,
                width: piece.width)
        }
    }

    /// For each piece with too many choices: the patterns that fit best if its neighbours are what was found, and what was found for itself.
    private static func likely(_ fit: ProfileFit, _ patterns: [Int]) -> [[Int]] {
        let response = EdgeResponse(sigma: fit.sigma, pixel: fit.pixel)
        let (pieces, profile, spread) = (fit.layout.pieces, fit.profile, fit.ink / 2)
        let span = fit.layout.widest
        let step = 1 / Float(fit.layout.resolution)
        var begins = [Float](repeating: 0, count: 3 * span + 1)
        var ends = begins
        var out = [[Int]](repeating: [], count: pieces.count)
        var index = fit.range.lowerBound
        for (number, piece) in pieces.enumerated() {
            let isSearched = piece.rivals.count > most
            var squares = [Float](repeating: 0, count: piece.rivals.count)
            while index < fit.range.upperBound {
                let away = fit.module(profile.places[index]) - Float(piece.start) * step
                guard away < Float(piece.width) * step else { break }
                defer { index += 1 }
                guard isSearched, number > 0, number + 1 < pieces.count else { continue }
                // Edges of the piece before it, of its own, and of the piece behind it.
                for edge in -span...2 * span {
                    begins[edge + span] = response.at(away - Float(edge) * step + spread).x
                    ends[edge + span] = response.at(away - Float(edge) * step - spread).x
                }
                func darkness(_ pattern: Int, at origin: Int) -> Float {
                    Self.darkness(pattern, span + origin, begins, ends, BarPattern.flatEdges, BarPattern.edgeCounts)
                }
                let contrast = fit.contrast(profile.places[index])
                let beside =
                    darkness(patterns[number - 1], at: -pieces[number - 1].width)
                    + darkness(patterns[number + 1], at: piece.width)
                let seen = (fit.paper(profile.places[index]) - profile.light[index]) / contrast - beside
                let weight = profile.weights[index] * contrast * contrast
                for choice in squares.indices {
                    var residual = darkness(piece.rivals.lowerBound + choice, at: 0) - seen
                    if profile.isSaturated[index] { residual = max(residual, 0) }
                    squares[choice] += weight * residual * residual
                }
            }
            guard isSearched else { continue }
            let own = patterns[number] - piece.rivals.lowerBound
            squares[own] = -1
            out[number] = squares.indices.sorted { squares[$0] < squares[$1] }.prefix(most).sorted()
                .map { piece.rivals.lowerBound + $0 }
        }
        return out
    }

    /// By boundary: the squares of its window for each pair of patterns.
    private static func costs(_ fit: ProfileFit, _ pieces: [Piece]) -> [[Float]] {
        let response = EdgeResponse(sigma: fit.sigma, pixel: fit.pixel)
        // Steps on each side of a boundary at which edges can be.
        let span = fit.layout.widest
        let step = 1 / Float(fit.layout.resolution)
        let profile = fit.profile
        let spread = fit.ink / 2
        var out: [[Float]] = []
        var index = fit.range.lowerBound
        // Responses at each step from the boundary, of edges that begin a bar and of edges that end one.
        var begins = [Float](repeating: 0, count: 2 * span + 1)
        var ends = begins
        var first = [Float](repeating: 0, count: most)
        var second = [Float](repeating: 0, count: most)
        for boundary in 0..<pieces.count - 1 {
            let (before, after) = (pieces[boundary], pieces[boundary + 1])
            let place = Float(after.start) * step
            let isLast = boundary == pieces.count - 2
            let end = isLast ? Float.infinity : place + Float(after.width) * step / 2
            var costs = [Float](repeating: 0, count: most * most)
            let (previous, next) = (before.choices, after.choices)
            while index < fit.range.upperBound {
                let module = fit.module(profile.places[index])
                guard module < end else { break }
                defer { index += 1 }
                let contrast = fit.contrast(profile.places[index])
                let dark = (fit.paper(profile.places[index]) - profile.light[index]) / contrast
                let away = module - place
                for edge in -span...span {
                    begins[edge + span] = response.at(away - Float(edge) * step + spread).x
                    ends[edge + span] = response.at(away - Float(edge) * step - spread).x
                }
                for (p, pattern) in previous.enumerated() {
                    first[p] =
                        darkness(
                            pattern, span - before.width, begins, ends, BarPattern.flatEdges, BarPattern.edgeCounts)
                        - dark
                }
                for (n, pattern) in next.enumerated() {
                    second[n] = darkness(pattern, span, begins, ends, BarPattern.flatEdges, BarPattern.edgeCounts)
                }
                let weight = profile.weights[index] * contrast * contrast
                let isSaturated = profile.isSaturated[index]
                costs.withUnsafeMutableBytes { costs in
                    second.withUnsafeBytes { second in
                        for p in 0..<previous.count {
                            for lane in 0..<(next.count + 3) / 4 {
                                let add = second.loadUnaligned(fromByteOffset: 16 &* lane, as: SIMD4<Float>.self)
                                var residual = add + first[p]
                                // Brighter than saturated can't be seen.
                                if isSaturated { residual.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 9)) }
                                let place = 4 &* (p &* most) &+ 16 &* lane
                                let cost = costs.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self)
                                costs.storeBytes(
                                    of: cost + weight * residual * residual, toByteOffset: place, as: SIMD4<Float>.self)
                            }
                        }
                    }
                }
            }
            out.append(costs)
        }
        return out
    }

    @inline(__always)
    private static func darkness(
        _ pattern: Int, _ origin: Int, _ begins: UnsafePointer<Float>, _ ends: UnsafePointer<Float>,
        _ edges: UnsafePointer<Int>, _ counts: UnsafePointer<Int>
    ) -> Float {
        var sum: Float = 0
        var index = BarPattern.mostEdges &* pattern
        let last = index &+ counts[pattern]
        while index < last {
            sum += begins[edges[index] &+ origin] - ends[edges[index &+ 1] &+ origin]
            index = index &+ 2
        }
        return sum
    }
}
