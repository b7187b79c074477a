import Vocabulary

/// What keeps a matrix code from being read, by what was measured; and whether it is one at all.
struct MatrixDiagnosis {
    /// A texture that may be modules: how much longer one side is, edges one way for each the other way, dark parts, busy blocks, how uneven
    /// rows are, quiet sides. Modules that have melted into each other are less even.
    private static let sharp = Texture(
        aspect: 1.5, balance: 0.6...1.7, dark: 0.3...0.7, busy: 0.9, unevenness: 0.16, quietSides: 3)
    private static let melted = Texture(
        aspect: 1.4, balance: 0.7...1.4, dark: 0.38...0.63, busy: 0.9, unevenness: 0.26, quietSides: 4)
    /// Three finder patterns that fit well score more, pairs and single ones less (`FinderTriples.pairScore`). So do the three of a code from 157
    /// modules a side on, because distance counts as misfit.
    private static let triple = 2.5
    private static let leastSide = 24.0
    /// A texture of narrow elements that is larger, in pixels, would have hundreds of modules.
    private static let mostOfSmall = 160.0

    let region: LocatedRegion
    let look: MatrixLook
    /// In pixels.
    let module: Double?

    /// `nil` if nothing can be measured.
    init?(_ region: LocatedRegion, in plane: LumaPlane) {
        let region = region.kind == .texture ? MatrixLook.trimmed(region, in: plane) : region
        guard let look = MatrixLook(region, in: plane) else { return nil }
        self.region = region
        self.look = look
        module =
            region.module > 0
            ? region.module : look.edges.modulation >= CodeLimits.resolved ? look.edges.module : nil
    }

    private var hasFinders: Bool { region.kind == .finders && region.score > Self.triple }

    /// Whether there is anything to gain from a decoder.
    var mayBeCode: Bool {
        let aspect = max(region.length, region.height) / min(region.length, region.height)
        return region.kind == .finders || aspect <= 2.5 && look.quietSides >= 2 && look.busyBlocks >= 0.6
    }

    var isCode: Bool {
        guard min(region.length, region.height) >= Self.leastSide else { return false }
        if hasFinders { return look.busyBlocks >= 0.5 }
        guard region.kind == .texture else { return false }
        return (look.edges.modulation < CodeLimits.resolved ? Self.melted : Self.sharp).admits(region, look)
    }

    /// `nil` if there is none that explains it.
    func cause(in plane: LumaPlane) -> UnreadReason? {
        if let cause = CodeLimits.darkness(look.light) { return cause }
        let margin = max(3, module ?? 1)
        if region.corners.points.contains(where: { plane.isAtEdge($0, within: margin) }) { return (.cutOff, nil) }
        if let cause = CodeLimits.light(look.light, glare: look.glare) { return cause }
        if let cause = CodeLimits.sharpness(
            width: look.edges.width, module: module, guess: look.edges.module ?? 2,
            isMatrix: true)
        {
            let isTooLarge = max(region.length, region.height) > Self.mostOfSmall
            return cause.cause == .tooSmall && region.kind == .texture && isTooLarge ? nil : cause
        }
        return hasFinders ? (.damaged, nil) : nil
    }
}

/// What a texture must be like to be reported to a person.
private struct Texture {
    var aspect: Double
    var balance: ClosedRange<Double>
    var dark: ClosedRange<Double>
    var busy: Double
    var unevenness: Double
    var quietSides: Int

    func admits(_ region: LocatedRegion, _ look: MatrixLook) -> Bool {
        max(region.length, region.height) <= aspect * min(region.length, region.height)
            && balance.contains(look.balance) && dark.contains(look.darkPart) && look.busyBlocks >= busy
            && look.unevenness <= unevenness && look.quietSides >= quietSides
    }
}
