import Glibc

/// A finder pattern, looked at along rays from its middle: on each, light changes at 1.5, 2.5 and 3.5 modules.
struct FinderPattern {
    /// Up to quarter turns, which it doesn't show.
    let frame: ModuleFrame
    /// How far edges are from where they should be: root mean square, in modules.
    let misfit: Float

    private static let rayCount = 32
    /// One pixel along each ray; from all sides at any time.
    private static let ways: [Place] = (0..<rayCount).map { ray in
        let angle = Float(ray * 11 % rayCount) / Float(rayCount) * 2 * .pi
        return Place(cos(angle), sin(angle))
    }
    /// The part of the rays that must show all three edges: cracks and glare take some.
    private static let leastRays = 0.55
    private static let edges: [Float] = [1.5, 2.5, 3.5]
    private static let mostMisfit: Float = 0.3
    /// How far the middle may be from where rows saw it, in modules of a row.
    private static let mostShift: Float = 2
    /// How far rays go, in modules of a row: a pattern may be much higher than wide.
    private static let reach: Float = 14
    /// To the first edge.
    private static let firstReach: Float = 9
    /// In levels.
    private static let leastContrast: Float = 12
    /// A change of less, as a part of what lies between paper and ink, is texture.
    private static let leastSwing: Float = 0.35

    /// Light turns back where it has gone back by this part of its way.
    private static let turn: Float = 0.35

    /// Squares are tried so many ways within a quarter turn, and moved onto the edges in rounds, the last ones without what doesn't lie on them.
    private static let turns = 6
    private static let rounds = 7
    private static let firstTrimmed = 3

    /// Of the first edge's radius: the third edge's at most, and how far the ray goes on, to tell how light the paper behind it is.
    private static let mostThird: Float = 3.4
    private static let mostSeen: Float = 5

    private struct Edge {
        let place: Place
        let modules: Float
    }

    /// - Parameters:
    ///   - hint: about its middle.
    ///   - module: about, in pixels; along a row.
    init?(_ samples: LumaSamples, near hint: Place, module: Float) {
        // A hint may be off by a module, and then rays see less of the pattern.
        var best = ModuleFrame(centre: hint, column: .zero, row: .zero)
        var bestMisfit = Float.infinity
        for leastRays in [0.3, 0.45, Self.leastRays] {
            guard let edges = Self.edges(samples, from: best.centre, module: module, leastRays: leastRays),
                let fit = Self.fit(edges, centre: best.centre)
            else { return nil }
            (best, bestMisfit) = fit
        }
        guard (best.centre - hint).length <= Self.mostShift * module else { return nil }
        (frame, misfit) = (best, bestMisfit)
        guard misfit <= Self.mostMisfit else { return nil }
    }

    private static func edges(
        _ samples: LumaSamples, from centre: Place, module: Float, leastRays: Double
    ) -> [Edge]? {
        var dark: Float = 0
        for dx: Float in [-0.5, 0, 0.5] {
            for dy: Float in [-0.5, 0, 0.5] { dark += samples.light(at: centre + Place(dx, dy)) }
        }
        dark /= 9
        let least = max(leastContrast, leastSwing * (paper(samples, around: centre, reach: 4 * module) - dark))
        var edges: [Edge] = []
        let leastValid = Int((leastRays * Double(rayCount)).rounded(.up))
        var valid = 0
        for (ray, way) in ways.enumerated() {
            // As they come from all sides, few among the first ones are few among the others.
            guard valid + rayCount - ray >= leastValid,
                ray < rayCount / 4 || valid >= leastValid * ray / rayCount / 2
            else { return nil }
            var lights = RayLights(samples, from: centre, way, most: firstReach * module)
            guard let radii = radii(&lights, dark: dark, least: least, module: module) else { continue }
            valid += 1
            for (index, radius) in radii.enumerated() {
                edges.append(Edge(place: centre + way * radius, modules: Self.edges[index]))
            }
        }
        guard valid >= leastValid else { return nil }
        return edges
    }

    /// How light paper is here: a fifth of the places are lighter.
    private static func paper(_ samples: LumaSamples, around centre: Place, reach: Float) -> Float {
        var lights: [Float] = []
        for x in -4...4 {
            for y in -4...4 { lights.append(samples.light(at: centre + Place(Float(x), Float(y)) * (reach / 4))) }
        }
        return lights.sorted()[lights.count * 4 / 5]
    }

    /// Where light changes along a ray: dark to light, back, and to light again.
    private static func radii(_ ray: inout RayLights, dark: Float, least: Float, module: Float) -> [Float]? {
        var index = 0
        var radii: [Float] = []
        var level = dark
        var isDark = true
        // Each edge is halfway between the extremes beside it.
        while radii.count < 3 {
            // How far the light goes on before it turns back by more than noise.
            var extreme = level
            var extremeIndex = index
            var next = index
            while let light = ray[next] {
                if isDark ? light > extreme : light < extreme {
                    (extreme, extremeIndex) = (light, next)
                } else if abs(extreme - level) >= least, abs(light - extreme) >= turn * abs(extreme - level) {
                    break
                }
                next += 1
            }
            guard abs(extreme - level) >= least else { return nil }
            let threshold = (extreme + level) / 2
            var at = index
            while at < extremeIndex, let light = ray[at + 1], isDark ? light < threshold : light > threshold { at += 1 }
            guard let before = ray[at], let after = ray[at + 1] else { return nil }
            let part = after == before ? 0.5 : min(max((threshold - before) / (after - before), 0), 1)
            radii.append((Float(at) + part) * RayLights.step)
            if radii.count == 1 { ray.end(at: min(radii[0] * mostSeen, reach * module)) }
            level = extreme
            index = extremeIndex
            isDark.toggle()
        }
        guard radii[0] >= 0.8 else { return nil }
        let (second, third) = (radii[1] / radii[0], radii[2] / radii[0])
        guard second > 1.25, second < 2.3, third > 1.7, third < mostThird else { return nil }
        return radii
    }

    /// The frame in which edges lie on squares: for each edge it is known on which side of its square it is, as soon as the frame is roughly known.
    private static func fit(_ edges: [Edge], centre: Place) -> (ModuleFrame, Float)? {
        guard let rounding = Rounding(edges.map { ($0.place - centre) / $0.modules }) else { return nil }
        return (0..<turns).compactMap { index in
            fit(edges, from: rounding.frame(around: centre, turned: Float(index) / Float(turns) * .pi / 2))
        }
        .min { $0.1 < $1.1 }
    }

    private static func fit(_ edges: [Edge], from frame: ModuleFrame) -> (ModuleFrame, Float)? {
        var fit = (frame, Float.infinity)
        for round in 0..<rounds {
            guard let next = refined(fit.0, edges, trimmed: round >= firstTrimmed) else { return nil }
            fit = next
        }
        return fit
    }

    private static func refined(_ frame: ModuleFrame, _ edges: [Edge], trimmed: Bool) -> (ModuleFrame, Float)? {
        // modules = (a x + b y + c), for each axis: least squares over the edges that lie on its sides.
        var sums = (FrameSums(), FrameSums())
        var squares: Float = 0
        var count: Float = 0
        for edge in edges {
            let modules = frame.modules(to: edge.place)
            let isColumn = abs(modules.x) > abs(modules.y)
            let value = isColumn ? modules.x : modules.y
            let target = value < 0 ? -edge.modules : edge.modules
            let error = value - target
            if trimmed, abs(error) > 0.5 { continue }
            squares += error * error
            count += 1
            let offset = edge.place - frame.centre
            if isColumn { sums.0.add(offset, target) } else { sums.1.add(offset, target) }
        }
        guard count >= Float(edges.count) / 2, let first = sums.0.solved(), let second = sums.1.solved() else {
            return nil
        }
        let determinant = first.a * second.b - first.b * second.a
        guard abs(determinant) > 1e-6 else { return nil }
        let column = Place(second.b, -second.a) / determinant
        let row = Place(-first.b, first.a) / determinant
        let shift = column * -first.c + row * -second.c
        return (ModuleFrame(centre: frame.centre + shift, column: column, row: row), (squares / count).squareRoot())
    }
}

/// The light along a ray, looked at as far as it is asked for.
private struct RayLights {
    /// In pixels.
    static let step: Float = 0.5

    private let samples: LumaSamples
    private let start: Place
    private let way: Place
    private var lights: [Float] = []
    private var most: Float

    /// - Parameters:
    ///   - way: one pixel along it.
    ///   - most: how far it goes, in pixels; not beyond the picture.
    init(_ samples: LumaSamples, from start: Place, _ way: Place, most: Float) {
        (self.samples, self.start, self.way, self.most) = (samples, start, way, most)
        lights.reserveCapacity(64)
    }

    /// It isn't looked at beyond `radius` any more, in pixels.
    mutating func end(at radius: Float) { most = radius }

    /// Of a place so many steps from its start; `nil`: the ray has ended.
    subscript(_ index: Int) -> Float? {
        mutating get {
            while index >= lights.count {
                let radius = Float(lights.count) * Self.step
                let place = start + way * radius
                guard radius <= most, samples.holds(place) else { return nil }
                lights.append(samples.light(at: place))
            }
            return lights[index]
        }
    }
}

/// Least squares of value = a x + b y + c.
private struct FrameSums {
    var xx: Float = 0, xy: Float = 0, yy: Float = 0, x: Float = 0, y: Float = 0, n: Float = 0
    var xv: Float = 0, yv: Float = 0, v: Float = 0

    mutating func add(_ place: Place, _ value: Float) {
        xx += place.x * place.x
        xy += place.x * place.y
        yy += place.y * place.y
        x += place.x
        y += place.y
        n += 1
        xv += place.x * value
        yv += place.y * value
        v += value
    }

    func solved() -> (a: Float, b: Float, c: Float)? {
        guard n >= 6 else { return nil }
        let (mx, my, mv) = (x / n, y / n, v / n)
        let (sxx, sxy, syy) = (xx - n * mx * mx, xy - n * mx * my, yy - n * my * my)
        let (sxv, syv) = (xv - n * mx * mv, yv - n * my * mv)
        let determinant = sxx * syy - sxy * sxy
        guard abs(determinant) > 1e-3 else { return nil }
        let a = (sxv * syy - syv * sxy) / determinant
        let b = (syv * sxx - sxv * sxy) / determinant
        return (a, b, mv - a * mx - b * my)
    }
}

/// What makes a square that is seen at an angle square again, up to a turn: the square root of its edges' covariance.
private struct Rounding {
    private let xx: Float
    private let xy: Float
    private let yy: Float

    /// - Parameter edges: where edges of a square of two modules a side lie, from its middle.
    init?(_ edges: [Place]) {
        guard !edges.isEmpty else { return nil }
        var (a, b, c): (Float, Float, Float) = (0, 0, 0)
        for edge in edges {
            a += edge.x * edge.x
            b += edge.x * edge.y
            c += edge.y * edge.y
        }
        // On a square's edges the mean of x² is 2/3.
        let scale = 1.5 / Float(edges.count)
        (a, b, c) = (a * scale, b * scale, c * scale)
        let root = (a * c - b * b).squareRoot()
        let trace = (a + c + 2 * root).squareRoot()
        guard root > 0.2, trace > 0 else { return nil }
        (xx, xy, yy) = ((a + root) / trace, b / trace, (c + root) / trace)
    }

    func frame(around centre: Place, turned angle: Float) -> ModuleFrame {
        func rounded(_ x: Float, _ y: Float) -> Place { Place(xx * x + xy * y, xy * x + yy * y) }
        return ModuleFrame(
            centre: centre, column: rounded(cos(angle), sin(angle)), row: rounded(-sin(angle), cos(angle)))
    }
}
