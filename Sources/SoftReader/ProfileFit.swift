import Glibc

/// Everything about a code but its characters, fitted to a profile by least squares: where its modules are (a cubic: tilt, perspective,
/// cylinder), how blurred it is, how far ink has spread, and how light falls on it. The guards need no special place in it: every edge tells.
struct ProfileFit {
    let profile: BarProfile
    private(set) var layout: BarLayout
    /// The samples that count: those of the code, and a little of its quiet zones.
    let range: Range<Int>
    /// The length of the code line, in pixels: places run from -1 to 1 over it.
    private let length: Float

    /// Module number at a place.
    private var geometry: SIMD4<Float>
    /// The blur of the lens, in modules; that of the pixel is apart.
    private(set) var sigma: Float
    /// By how much bars are wider than they should be, in modules.
    private(set) var ink: Float = 0
    /// Light of paper, a cubic over places; and how much darker ink is, a line.
    private var paperCurve: SIMD4<Float>
    private var contrastLine: SIMD2<Float>

    /// Sum of weighted squared residuals, in squared light.
    private(set) var squares: Float = .infinity
    /// Sum of the weights.
    private var weight: Float = 0
    /// One for each sample of `range`.
    private(set) var residuals: [Float] = []

    private static let unknowns = 12

    /// Where some unknowns stand: the first four are the geometry's coefficients.
    private enum Unknown {
        static let square = 2
        static let cube = 3
        static let sigma = 4
        static let ink = 5
    }

    /// One step of sigma is about 0.2 modules long, as a standard deviation: this is 1 / 0.2².
    private static let sigmaStepWeight = 25.0
    /// What is usual, as a standard deviation: ink spread in modules, curvature in modules.
    private static let inkDeviation: Float = 0.3
    private static let curvatureDeviation: Float = 4
    private static let sigmas: ClosedRange<Float> = 0.12...2
    private static let inks: ClosedRange<Float> = -0.7...0.7

    /// A pixel's width, in modules.
    var pixel: Float { 2 * (geometry[1] + geometry[3] / 3) / length }

    init?(_ profile: BarProfile, _ find: RoughSearch.Find, length: Float) {
        self.profile = profile
        layout = find.layout
        self.length = length
        // Boundaries to a cubic, held near a line where they are few.
        var normal = NormalEquations(count: 4)
        for (module, place) in find.boundaries {
            let x = Double(2 * place / length - 1)
            normal.add([1, x, x * x, x * x * x], Double(module), weight: 1)
        }
        normal.pull(Unknown.square, weight: 0.05)
        normal.pull(Unknown.cube, weight: 0.05)
        guard let cubic = normal.solved() else { return nil }
        geometry = SIMD4(Float(cubic[0]), Float(cubic[1]), Float(cubic[2]), Float(cubic[3]))
        let ends = layout.modules
        let geometry = geometry
        let module = { (place: Float) -> Float in Self.cubic(geometry, 2 * place / length - 1) }
        guard let first = profile.places.firstIndex(where: { module($0) >= -1.2 }),
            let last = profile.places.lastIndex(where: { module($0) <= ends + 1.2 }), last - first >= 60
        else { return nil }
        range = first..<last + 1
        let pixel = 1 / find.moduleWidth
        sigma = min(max(find.sigma * find.sigma - pixel * pixel / 12, 0.04).squareRoot(), 1.5)
        let light = profile.light[range].sorted()
        let white = light[light.count * 19 / 20]
        let mean = light.reduce(0, +) / Float(light.count)
        paperCurve = SIMD4(white, 0, 0, 0)
        contrastLine = SIMD2(max(2 * (white - mean), 1), 0)
    }

    @inline(__always)
    private static func cubic(_ c: SIMD4<Float>, _ x: Float) -> Float { c[0] + x * (c[1] + x * (c[2] + x * c[3])) }

    @inline(__always)
    private func normalised(_ place: Float) -> Float { 2 * place / length - 1 }
    func module(_ place: Float) -> Float { Self.cubic(geometry, normalised(place)) }
    func paper(_ place: Float) -> Float { Self.cubic(paperCurve, normalised(place)) }
    func contrast(_ place: Float) -> Float { contrastLine[0] + contrastLine[1] * normalised(place) }

    /// The place of a module's left edge, in pixels along the line.
    func place(ofModule module: Float) -> Float {
        var x: Float = (module - geometry[0]) / geometry[1]
        for _ in 0..<4 {
            let slope = geometry[1] + x * (2 * geometry[2] + 3 * x * geometry[3])
            x -= (Self.cubic(geometry, x) - module) / slope
        }
        return (x + 1) / 2 * length
    }

    /// The same for the same characters of another layout, which has other modules: a start for another fit.
    func laidOut(as other: BarLayout) -> ProfileFit {
        var out = self
        out.geometry *= other.modules / layout.modules
        out.layout = other
        return out
    }

    /// Improves everything, given what the code says.
    mutating func refine(_ patterns: [Int], steps: Int) {
        let edges = layout.edges(of: patterns)
        var sums = measure(edges)
        for _ in 0..<steps {
            var moved = self
            guard moved.step(sums) else { return }
            let next = moved.measure(edges)
            // A step that made it worse is tried at half its length, once.
            if moved.squares > squares {
                let middle = self.between(moved)
                moved = middle
                let half = moved.measure(edges)
                guard moved.squares < squares else { return }
                self = moved
                sums = half
                continue
            }
            let gain = squares - moved.squares
            self = moved
            sums = next
            if gain < 0.002 * squares { return }
        }
    }

    private func between(_ other: ProfileFit) -> ProfileFit {
        var out = self
        out.geometry = (geometry + other.geometry) / 2
        out.sigma = (sigma + other.sigma) / 2
        out.ink = (ink + other.ink) / 2
        out.paperCurve = (paperCurve + other.paperCurve) / 2
        out.contrastLine = (contrastLine + other.contrastLine) / 2
        return out
    }

    /// Residuals, and the sums of products of their derivatives. In the order of the unknowns: geometry, sigma, ink, paper, contrast; the
    /// last is the residual.
    private mutating func measure(_ edges: [Float]) -> [SIMD16<Float>] {
        let response = EdgeResponse(sigma: sigma, pixel: pixel)
        var sums = [SIMD16<Float>](repeating: .zero, count: Self.unknowns + 1)
        var residuals = [Float](repeating: 0, count: range.count)
        var total: Float = 0
        var firstEdge = 0
        let spread = ink / 2
        let reach = response.reach + abs(spread)
        edges.withUnsafeBufferPointer { edges in
            sums.withUnsafeMutableBufferPointer { sums in
                for index in range {
                    let x = normalised(profile.places[index])
                    let module = Self.cubic(geometry, x)
                    while firstEdge < edges.count, edges[firstEdge] < module - reach { firstEdge += 1 }
                    var dark: Float = firstEdge % 2 == 1 ? 1 : 0
                    var (slope, bySigma, byInk): (Float, Float, Float) = (0, 0, 0)
                    var edge = firstEdge
                    while edge < edges.count, edges[edge] < module + reach {
                        // Even edges begin a bar, odd ones end it.
                        let sign: Float = edge % 2 == 0 ? 1 : -1
                        let at = response.at(module - edges[edge] + sign * spread)
                        dark += sign * at.x
                        slope += sign * at.y
                        bySigma += sign * at.z
                        byInk += 0.5 * at.y
                        edge += 1
                    }
                    let depth = contrastLine[0] + contrastLine[1] * x
                    let light = Self.cubic(paperCurve, x) - depth * dark
                    let seen = profile.light[index]
                    let residual = seen - light
                    if profile.isSaturated[index], residual < 0 { continue }
                    residuals[index - range.lowerBound] = residual
                    let weight = profile.weights[index]
                    total += weight
                    let x2 = x * x
                    let moved = -depth * slope
                    let row = SIMD16<Float>(
                        moved, moved * x, moved * x2, moved * x2 * x, -depth * bySigma, -depth * byInk, 1, x, x2,
                        x2 * x,
                        -dark, -dark * x, residual, 0, 0, 0)
                    let weighted = row * weight
                    for unknown in 0...Self.unknowns { sums[unknown] += row * weighted[unknown] }
                }
            }
        }
        self.residuals = residuals
        weight = total
        let usual = max(total > 0 ? sums[Self.unknowns][Self.unknowns] / total : 1, 0.25)
        squares = sums[Self.unknowns][Self.unknowns] + usual * priorSquares
        return sums
    }

    /// Squared deviations from what is usual, in units of the noise.
    private var priorSquares: Float {
        let ink = ink / Self.inkDeviation
        let bend = SIMD2(geometry[2], geometry[3]) / Self.curvatureDeviation
        return ink * ink + (bend * bend).sum()
    }

    private mutating func step(_ sums: [SIMD16<Float>]) -> Bool {
        let count = Self.unknowns
        var normal = NormalEquations(count: count)
        var triangle: [Float] = []
        triangle.reserveCapacity(count * (count + 1) / 2)
        for i in 0..<count { for j in i..<count { triangle.append(sums[i][j]) } }
        let right = (0..<count).map { sums[$0][count] }
        triangle.withUnsafeBufferPointer { triangle in
            right.withUnsafeBufferPointer { normal.add(triangle: triangle, right: $0) }
        }
        let noise = Double(max(squares / max(weight, 1), 0.25))
        let curvature = Double(Self.curvatureDeviation)
        normal.pull(Unknown.square, to: -Double(geometry[2]), weight: noise / (curvature * curvature))
        normal.pull(Unknown.cube, to: -Double(geometry[3]), weight: noise / (curvature * curvature))
        normal.pull(Unknown.sigma, weight: noise * Self.sigmaStepWeight)
        normal.pull(Unknown.ink, to: -Double(ink), weight: noise / Double(Self.inkDeviation * Self.inkDeviation))
        // Light that isn't determined stays as it is.
        for index in 0..<count { normal.pull(index, weight: 1e-4 * noise) }
        guard let delta = normal.solved() else { return false }
        let d = delta.map { Float($0) }
        guard d.allSatisfy(\.isFinite) else { return false }
        geometry += SIMD4(d[0], d[1], d[2], d[3])
        sigma = min(
            max(sigma + min(max(d[Unknown.sigma], -0.4 * sigma), 0.4 * sigma + 0.05), Self.sigmas.lowerBound),
            Self.sigmas.upperBound)
        ink = min(max(ink + min(max(d[Unknown.ink], -0.25), 0.25), Self.inks.lowerBound), Self.inks.upperBound)
        paperCurve += SIMD4(d[6], d[7], d[8], d[9])
        contrastLine += SIMD2(d[10], d[11])
        // Modules must follow each other, and ink be darker than paper.
        let slopes = [Float(-1), 0, 1].map { geometry[1] + $0 * (2 * geometry[2] + 3 * $0 * geometry[3]) }
        return slopes.allSatisfy { $0 > 0.6 * geometry[1] } && geometry[1] > 1
            && contrastLine[0] - abs(contrastLine[1]) > 0
    }
}

/// How good a fit is.
extension ProfileFit {
    /// Variance of the residuals, in squared light; never less than that of luma's rounding.
    var noise: Float { max(squares / max(weight, 1), 0.1) }

    /// Part of the samples that count as independent of each other.
    var independence: Float { residuals.independence }

    /// Part of the variance of the samples that is explained.
    var explained: Float {
        var (sum, square): (Float, Float) = (0, 0)
        for index in range {
            let weight = profile.weights[index]
            sum += weight * profile.light[index]
            square += weight * profile.light[index] * profile.light[index]
        }
        let total = square - sum * sum / max(weight, 1)
        return total > 0 ? 1 - squares / total : 0
    }

    /// Of noise, this part of the contrast is none to speak of.
    private static let littleNoise: Float = 0.04

    /// How badly the outermost pieces fit, beside the code's middle: the larger one of their mean squared residuals, over that of all between.
    /// - Parameter inner: modules between them.
    func misfitOfEnds(beside inner: ClosedRange<Float>) -> Float {
        var (squares, weights) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
        for index in range {
            let module = module(profile.places[index])
            let part = module < inner.lowerBound ? 0 : module > inner.upperBound ? 2 : 1
            let residual = residuals[index - range.lowerBound]
            squares[part] += profile.weights[index] * residual * residual
            weights[part] += profile.weights[index]
        }
        let means =
            squares / weights.clamped(lowerBound: SIMD3(repeating: 1e-3), upperBound: SIMD3(repeating: .infinity))
        let little = Self.littleNoise * contrast(length / 2)
        return max(means[0], means[2]) / max(means[1], little * little)
    }

    /// Modules beside the code that must be paper; standards want 7 and more.
    private static let quiet: Float = 5
    /// The first module beside a blurred bar is grey.
    private static let blurred: Float = 1
    /// Paper of this much light may be saturated itself.
    private static let burntOut: Float = 245
    /// How far from paper it may be, on average, as a part of the contrast.
    private static let unevenness: Float = 0.2

    /// Whether there is paper beside the code.
    var quietZones: (left: Bool, right: Bool) {
        let end = layout.modules
        return (
            isPaper(from: -Self.quiet - Self.blurred, to: -Self.blurred, like: 0),
            isPaper(from: end + Self.blurred, to: end + Self.blurred + Self.quiet, like: end)
        )
    }

    private func isPaper(from: Float, to: Float, like edge: Float) -> Bool {
        let place = place(ofModule: edge)
        let (paper, contrast) = (paper(place), contrast(place))
        // Straight on from the edge: a cubic isn't to be trusted beyond its samples.
        let width = length / (2 * geometry[1])
        func module(_ sample: Float?) -> Float { edge + ((sample ?? place) - place) / width }
        // All of it is in the picture: where that ends, half a code may look whole. A sample shows as much as a pixel covers.
        guard module(profile.places.first) - pixel / 2 <= from, module(profile.places.last) + pixel / 2 >= to else {
            return false
        }
        var (sum, count): (Float, Float) = (0, 0)
        for index in profile.places.indices where (from...to).contains(module(profile.places[index])) {
            // Glare is no paper.
            if profile.isSaturated[index], paper < Self.burntOut { return false }
            sum += abs(profile.light[index] - paper)
            count += 1
        }
        // Of the smallest codes, a sample covers two modules.
        return count >= 2 && sum / count < Self.unevenness * contrast
    }
}
