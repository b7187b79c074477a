/// How many symbols a Code 128 may have, and in which direction it runs: by how start and stop would look at its ends. A code of another number has
/// another module, and they wouldn't fit.
struct Code128Ends {
    struct Match {
        let left: Float
        let right: Float
        /// With start, check and stop.
        let symbols: Int
        /// The stop is at `left`.
        let isReversed: Bool
        /// Mean squared darkness that isn't explained.
        let misfit: Float
        /// By how much they explain the ends better than grey does, times the pixels that they explain: a code of very many symbols, which would be
        /// so blurred that it is grey, explains next to nothing well.
        var worth: Float { (Code128Ends.unexplained - misfit) * module }
        private var module: Float { (right - left) / Float(BarLayout.code128Modules(symbols: symbols)) }
    }

    /// One for each number and direction, the likeliest first.
    let matches: [Match]

    /// One character at least; and as many as fit into the longest labels.
    static let symbols = 4...60
    /// In pixels: what lies below can't be read.
    static let leastModule: Float = 0.5
    /// Blur in modules beyond which nothing can be read, as a standard deviation.
    private static let mostBlur: Float = 1.7
    /// Mean squared darkness that other bars leave unexplained; tuned on drawn codes.
    private static let unexplained: Float = 0.2
    /// Samples a module.
    private static let density: Float = 4
    /// Modules of paper beside the code, and of start or stop up to the neighbour's blur, that are compared.
    private static let outside = 2
    private static let inside: Float = 9.5
    /// Modules by which an end may be off.
    private static let slack = 1

    /// - Parameter profile: `length` is of its code line, in pixels.
    init(_ profile: EvenProfile, length: Float) {
        let ends = CodeEnds(profile, length: length)
        let sigma = Self.sigma(profile, length)
        var best: [Int: Match] = [:]
        for symbols in Self.symbols {
            let modules = Float(BarLayout.code128Modules(symbols: symbols))
            let blur = sigma * modules / length
            guard length / modules >= Self.leastModule * 0.9, blur <= Self.mostBlur else { break }
            let templates = Self.templates(sigma: min(max(blur, 0.25), 1.4))
            for left in ends.left {
                for right in ends.right {
                    let module = (right - left) / modules
                    guard module >= Self.leastModule else { continue }
                    let atLeft = Self.samples(profile, left, module)
                    let atRight = Self.samples(profile, right, -module)
                    let start = Self.misfits(atLeft, templates)
                    let end = Self.misfits(atRight, templates)
                    for isReversed in [false, true] {
                        let misfit = isReversed ? start.stop + end.start : start.start + end.stop
                        let key = 2 * symbols + (isReversed ? 1 : 0)
                        if misfit < best[key]?.misfit ?? .infinity {
                            best[key] = Match(
                                left: left, right: right, symbols: symbols, isReversed: isReversed, misfit: misfit)
                        }
                    }
                }
            }
        }
        matches = best.sorted { (-$0.value.worth, $0.key) < (-$1.value.worth, $1.key) }.map(\.value)
    }

    /// In pixels, from the steepest slopes: a lone edge blurred by sigma has 1 / (sigma * sqrt(2 pi)).
    private static func sigma(_ profile: EvenProfile, _ length: Float) -> Float {
        let (from, to) = (max(0, profile.index(0)), min(profile.darkness.count, profile.index(length)))
        guard to - from > 20 else { return 1 }
        let inside = profile.darkness[from..<to]
        let slopes = zip(inside.dropFirst(), inside).map { abs($0 - $1) / profile.step }.sorted()
        return 0.4 / max(slopes[slopes.count * 19 / 20], 0.001)
    }

    /// Darkness from outside to inside.
    private static func samples(_ profile: EvenProfile, _ end: Float, _ module: Float) -> [Float] {
        let count = Int((Float(outside + 2 * slack) + inside) * density)
        return (0..<count).map {
            profile.at(end + (Float($0) / density - Float(outside + slack)) * module)
        }
    }

    /// What start and stop look like from outside to inside: three starts, and the stop from its last bar.
    private struct Templates {
        let starts: [[Float]]
        let stop: [Float]
    }

    private static func templates(sigma: Float) -> Templates {
        let response = EdgeResponse(sigma: sigma, pixel: 0.1)
        func template(_ edges: [Int]) -> [Float] {
            let count = Int((Float(outside) + inside) * density)
            return (0..<count).map { index in
                let place = Float(index) / density - Float(outside)
                var sum: Float = 0
                for (number, edge) in edges.enumerated() {
                    let value = response.at(place - Float(edge)).x
                    sum += number % 2 == 0 ? value : -value
                }
                return sum
            }
        }
        // The first bar of what follows the start, and the last space of what precedes the stop, belong to the picture, too.
        let starts = BarPattern.code128Starts.map { template(BarPattern.all[$0].edges + [11]) }
        let stop = BarPattern.all[BarPattern.code128Stop.lowerBound].edges + [11, 13]
        return Templates(starts: starts, stop: template(stop.reversed().map { 13 - $0 }))
    }

    /// The least misfits of any start and of the stop over small shifts.
    private static func misfits(_ seen: [Float], _ templates: Templates) -> (start: Float, stop: Float) {
        let shifts = 2 * slack * Int(density)
        func misfit(_ template: [Float]) -> Float {
            var least = Float.infinity
            for shift in 0...shifts {
                var (product, square, own) = (Float(0), Float(0), Float(0))
                for index in template.indices {
                    let value = seen[index + shift]
                    product += value * template[index]
                    square += value * value
                    own += template[index] * template[index]
                }
                // Blur and shade make darkness uncertain: it may be scaled.
                let scale = min(max(product / max(own, 1e-6), 0.7), 1.4)
                let rest = square - 2 * scale * product + scale * scale * own
                least = min(least, rest / (scale * scale) / Float(template.count))
            }
            return least
        }
        return (templates.starts.map(misfit).min() ?? .infinity, misfit(templates.stop))
    }
}
