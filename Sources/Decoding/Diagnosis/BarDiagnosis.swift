import SoftReader
import Vocabulary

/// What keeps bars from being read, by what was measured; and whether they are a code at all.
struct BarDiagnosis {
    /// With less, it isn't reported: too few edges, lines that differ, bars of one width, too low, elements of no whole modules.
    private static let code = (
        edges: 20, likeness: 0.7, variation: 0.2, heightOfLength: 0.08, height: 10.0, misfit: 0.16
    )
    /// With less, no decoder finds anything.
    private static let worthReading = (edges: 12, likeness: 0.45)
    /// `.damaged` says that nothing is wrong with the picture: that needs more.
    private static let certain = (edges: 32, likeness: 0.85, variation: 0.3, heightOfLength: 0.12, misfit: 0.1)
    /// A look of the soft reader's that explains this much found its bars.
    private static let leastExplained: Float = 0.75
    /// With this much, fewer edges are enough.
    private static let wellExplained: Float = 0.9
    private static let fewestExplained = 14
    /// What noise leaves of the likeness of lines in the dark.
    private static let noisyLikeness = 0.5
    /// More blur, in modules, fits anything.
    private static let mostBlur: Float = 1.75
    /// Pixels a module from which on elements can be compared with whole modules.
    private static let measurable = 2.0
    /// Bars whose elements have melted into each other show less of what makes them a code.
    private static let melted = (edges: 22, likeness: 0.85, heightOfLength: 0.14)

    let region: LocatedRegion
    let look: BarLook
    /// In pixels.
    let module: Double?
    private let soft: SoftLook?
    private let from: Point
    private let to: Point

    /// `nil` if nothing can be measured.
    init?(_ region: LocatedRegion, _ softLook: SoftLook?, in plane: LumaPlane) {
        let soft = softLook.flatMap { $0.explained >= Self.leastExplained && $0.blur < Self.mostBlur ? $0 : nil }
        let ends = soft?.ends ?? (from: region.ends.left, to: region.ends.right)
        guard
            let look = BarLook(
                from: ends.from, to: ends.to, height: region.height,
                module: soft.map { Double($0.moduleWidth) } ?? region.module, in: plane)
        else { return nil }
        self.region = region
        self.look = look
        self.soft = soft
        from = ends.from
        to = ends.to
        if let soft {
            module = Double(soft.moduleWidth)
        } else {
            module = look.edges.resolvedModule
        }
    }

    /// Whether there is anything to gain from a decoder.
    static func mayBeCode(_ region: LocatedRegion, in plane: LumaPlane) -> Bool {
        let ends = region.ends
        guard
            let look = BarLook(
                from: ends.left, to: ends.right, height: region.height, module: region.module, in: plane)
        else { return false }
        return look.likeness >= Self.worthReading.likeness && look.edges.count >= Self.worthReading.edges
    }

    /// The whole of the bars.
    var corners: Quad {
        guard soft != nil else { return region.corners }
        var code = region
        code.centre = from.middle(to: to)
        code.length = from.distance(to: to)
        return code.corners
    }

    /// Whether there are enough bars, alike over some height, and not all of one width.
    var isCode: Bool {
        guard look.likeness >= min(Self.code.likeness, leastLikeness), look.edges.variation >= Self.code.variation,
            region.height >= Self.code.height,
            region.height >= Self.code.heightOfLength * region.length
        else { return false }
        if let soft {
            return look.edges.count >= (soft.explained >= Self.wellExplained ? Self.fewestExplained : Self.melted.edges)
        }
        guard look.edges.count >= Self.code.edges else { return false }
        if let module, module >= Self.measurable {
            // Elements that are resolved are whole modules wide.
            return look.edges.misfit <= Self.code.misfit
        }
        return look.edges.count >= Self.melted.edges && look.likeness >= min(Self.melted.likeness, leastLikeness)
            && region.height >= Self.melted.heightOfLength * region.length
    }

    /// In little light, lines differ by their noise.
    private var leastLikeness: Double { CodeLimits.darkness(look.light) == nil ? 1 : Self.noisyLikeness }

    private var isCertainlyCode: Bool {
        look.edges.count >= Self.certain.edges && look.likeness >= Self.certain.likeness
            && look.edges.variation >= Self.certain.variation && look.edges.misfit <= Self.certain.misfit
            && region.height >= Self.certain.heightOfLength * region.length
    }

    /// `nil` if there is none that explains it.
    func cause(in plane: LumaPlane) -> UnreadReason? {
        if let cause = CodeLimits.darkness(look.light) { return cause }
        let end = max(3, 2 * (module ?? 1))
        if [from, to].contains(where: { plane.isAtEdge($0, within: end) }) { return (.cutOff, nil) }
        if let cause = CodeLimits.light(look.light, glare: look.glare) { return cause }
        if let cause = CodeLimits.sharpness(
            width: width, module: module, guess: look.edges.module ?? region.module, isMatrix: false)
        {
            return cause
        }
        if let quiet, quiet < CodeLimits.quietZone, soft != nil || isCertainlyCode { return (.noQuietZone, quiet) }
        return isCertainlyCode ? (.damaged, nil) : nil
    }

    /// The width of an edge, from dark to light, in pixels.
    private var width: Double? {
        guard let soft, let module else { return look.edges.width }
        // The lens and the pixel: a box of one pixel has a variance of 1/12.
        let lens = Double(soft.blur) * module
        return 2.56 * (lens * lens + 1.0 / 12).squareRoot()
    }

    /// Modules of paper at the narrower end.
    private var quiet: Double? {
        guard let module, module > 0 else { return nil }
        if soft == nil, let last = look.lastPaper { return last / module }
        return min(look.quiet.left, look.quiet.right) / module
    }
}

extension LumaPlane {
    /// Whether a point lies at an edge of the plane, or beyond it; in pixels.
    func isAtEdge(_ point: Point, within pixels: Double) -> Bool {
        point.x < pixels || point.y < pixels || point.x > Double(width) - pixels
            || point.y > Double(height) - pixels
    }
}
