/// How many symbols a code may have, and in which direction it runs: by how start and stop would look at its ends. A code of another number has
/// another module, and they wouldn't fit.
struct LengthSearch {
    struct Match {
        let left: Float
        let right: Float
        let length: CodeLength
        /// The stop is at `left`.
        let isReversed: Bool
        /// Mean squared darkness that isn't explained at one end and at the other, added.
        let misfit: Float
        /// By how much they explain the ends better than nothing, times the pixels that they explain: a code of very many symbols, which would be so
        /// blurred that it is grey, explains next to nothing well.
        var worth: Float { (LengthSearch.unexplained - misfit) * (right - left) / length.modules }
    }

    /// One for each length and direction, the likeliest first.
    let matches: [Match]

    /// Blur in modules beyond which nothing can be read, as a standard deviation.
    private static let mostBlur: Float = 1.7
    private static let blurs: ClosedRange<Float> = 0.25...1.4
    /// Mean squared darkness that other bars leave unexplained; tuned on drawn codes.
    private static let unexplained: Float = 0.2
    /// Samples a module.
    private static let density: Float = 4
    /// Modules of paper beside the code that are compared.
    private static let outside = 2
    /// Modules by which an end may be off.
    private static let slack = 1

    /// - Parameters:
    ///   - profile: `length` is of its code line, in pixels.
    ///   - reach: how far off the ends of the line may be, as a part of its length.
    ///   - lengths: those that are tried.
    init(_ profile: EvenProfile, length: Float, reach: Float, among lengths: [CodeLength]) {
        let ends = CodeEnds(profile, length: length, reach: reach)
        let sigma = Self.sigma(profile, length)
        var best: [Match] = []
        for candidate in lengths {
            let blur = sigma * candidate.modules / length
            guard length / candidate.modules >= BarFamily.leastModule * 0.9, blur <= Self.mostBlur else { continue }
            let templates = Templates(
                candidate, sigma: min(max(blur, Self.blurs.lowerBound), Self.blurs.upperBound))
            var matches: [Match?] = [nil, nil]
            for left in ends.left {
                for right in ends.right where (right - left) / candidate.modules >= BarFamily.leastModule {
                    let module = (right - left) / candidate.modules
                    let atLeft = templates.misfits(Self.samples(profile, left, module, candidate))
                    let atRight = templates.misfits(Self.samples(profile, right, -module, candidate))
                    for (index, misfit) in [atLeft.start + atRight.stop, atLeft.stop + atRight.start].enumerated()
                    where misfit < matches[index]?.misfit ?? .infinity {
                        matches[index] = Match(
                            left: left, right: right, length: candidate, isReversed: index == 1, misfit: misfit)
                    }
                }
            }
            best += matches.compactMap(\.self)
        }
        matches = best.filter { $0.worth > 0 }.sorted { $0.worth > $1.worth }
    }

    /// In pixels.
    private static func sigma(_ profile: EvenProfile, _ length: Float) -> Float {
        let (from, to) = (max(0, profile.index(0)), min(profile.darkness.count, profile.index(length)))
        return from < to ? EdgeResponse.sigma(steepestOf: profile.darkness[from..<to], step: profile.step) : 1
    }

    /// Darkness from outside to inside.
    private static func samples(
        _ profile: EvenProfile, _ end: Float, _ module: Float, _ length: CodeLength
    ) -> [Float] {
        let compared = length.compared
        let count = Int((Float(outside + 2 * slack) + max(compared.start, compared.stop)) * density)
        return (0..<count).map {
            profile.at(end + (Float($0) / density - Float(outside + slack)) * module)
        }
    }

    /// What start and stop look like from outside to inside.
    private struct Templates {
        private let starts: [[Float]]
        private let stops: [[Float]]

        init(_ length: CodeLength, sigma: Float) {
            let response = EdgeResponse(sigma: sigma, pixel: 0.1)
            func template(_ edges: [Float], _ inside: Float) -> [Float] {
                let count = Int((Float(LengthSearch.outside) + inside) * LengthSearch.density)
                return (0..<count).map {
                    response.darkness(edges, at: Float($0) / LengthSearch.density - Float(LengthSearch.outside))
                }
            }
            let compared = length.compared
            starts = length.starts.map { template($0, compared.start) }
            stops = length.stops.map { template($0, compared.stop) }
        }

        /// The least misfits of any start and of any stop over small shifts.
        func misfits(_ seen: [Float]) -> (start: Float, stop: Float) {
            (least(starts, seen), least(stops, seen))
        }

        private func least(_ templates: [[Float]], _ seen: [Float]) -> Float {
            templates.map { Self.misfit($0, seen) }.min() ?? .infinity
        }

        private static func misfit(_ template: [Float], _ seen: [Float]) -> Float {
            let own = template.reduce(0) { $0 + $1 * $1 }
            var least = Float.infinity
            for shift in 0...2 * LengthSearch.slack * Int(LengthSearch.density) {
                var (product, square) = (Float(0), Float(0))
                for index in template.indices {
                    let value = seen[index + shift]
                    product += value * template[index]
                    square += value * value
                }
                // Blur and shade make darkness uncertain: it may be scaled.
                let scale = min(max(product / max(own, 1e-6), 0.7), 1.4)
                let rest = square - 2 * scale * product + scale * scale * own
                least = min(least, rest / (scale * scale) / Float(template.count))
            }
            return least
        }
    }
}
