/// What the edges on several lines across a code say of its print and its sharpness.
struct EdgeFigures {
    /// Edges on a line: the median.
    private(set) var count = 0
    /// From dark to light, in pixels: a third of the strong edges are sharper.
    private(set) var width: Double?
    /// How high weak edges are beside strong ones, 0…1: edges so close that they melt into each other are low.
    private(set) var modulation = 0.0
    /// In pixels, from the distances between every other edge, which ink that spreads doesn't change. Too large if `modulation` is low.
    private(set) var module: Double?
    /// How far these distances are from whole modules, in modules, on average: 0.25 if they know no module.
    private(set) var misfit = 0.25
    /// Standard deviation of the elements' widths, in mean elements: blinds and combs have about 0, codes 0.4 and more.
    private(set) var variation = 0.0

    /// Distances that are no whole modules, of edges that are nearly as wide as the module, come from elements that have melted away.
    private static let melted = (misfit: 0.16, width: 0.7)
    private static let fewest = 6
    /// Distances of more modules are gaps.
    private static let mostModules: Float = 9

    /// - Parameter step: pixels between samples.
    init(_ lines: [LineEdges], step: Float) {
        let lines = lines.filter { $0.edges.count >= Self.fewest }
        guard !lines.isEmpty else { return }
        count = lines.map(\.edges.count).sorted()[lines.count / 2]
        let rises = lines.flatMap { $0.edges.map { abs($0.rise) } }.sorted()
        let strong = rises[rises.count * 9 / 10]
        modulation = Double(rises[rises.count / 5] / max(strong, 1))
        let widths = lines.flatMap { $0.edges.filter { abs($0.rise) >= 0.7 * strong }.map(\.width) }.sorted()
        if !widths.isEmpty { width = Double(widths[widths.count / 3] * step) }
        var pairs: [Float] = []
        var elements: [Float] = []
        for line in lines {
            for index in line.edges.indices.dropLast() {
                elements.append((line.edges[index + 1].place - line.edges[index].place) * step)
            }
            for index in line.edges.indices.dropLast(2) {
                pairs.append((line.edges[index + 2].place - line.edges[index].place) * step)
            }
        }
        measure(pairs: pairs.sorted())
        measure(elements: elements.sorted())
    }

    /// The module, if elements haven't melted into each other.
    var resolvedModule: Double? {
        guard modulation >= CodeLimits.resolved, let module, let width else { return nil }
        return misfit > Self.melted.misfit && width > Self.melted.width * module ? nil : module
    }

    private mutating func measure(pairs: [Float]) {
        guard let shortest = pairs.isEmpty ? nil : pairs[pairs.count / 10], shortest > 0 else { return }
        var best: (module: Float, misfit: Float) = (shortest / 2, .infinity)
        for step in -10...10 {
            let module = shortest / 2 * (1 + Float(step) / 50)
            var (sum, count): (Float, Float) = (0, 0)
            for pair in pairs where pair <= Self.mostModules * module {
                let modules = pair / module
                sum += abs(modules - modules.rounded())
                count += 1
            }
            guard count > 0, sum / count < best.misfit else { continue }
            best = (module, sum / count)
        }
        module = Double(best.module)
        if best.misfit.isFinite { misfit = Double(best.misfit) }
    }

    private mutating func measure(elements: [Float]) {
        // The widest may be gaps.
        let elements = elements.prefix(max(1, elements.count * 19 / 20))
        let mean = elements.reduce(0, +) / Float(elements.count)
        let squares = elements.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(elements.count)
        variation = mean > 0 ? Double(squares.squareRoot() / mean) : 0
    }
}
