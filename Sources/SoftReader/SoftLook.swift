import Vocabulary

/// What a look at a line came to: the best string of bars, right or not, with what speaks for it.
package struct SoftLook: Sendable {
    private let fit: ProfileFit
    private let patterns: [Int]
    private let family: BarFamily
    private let frame: BarFrame
    private let isReversed: Bool
    /// Logarithm of a likelihood ratio, as in `SoftReading`.
    package let margin: Float
    /// Part of the profile's variance, up to 1.
    package let explained: Float
    /// Whether there is paper at both sides, in the code's own direction.
    private let quietZones: (left: Bool, right: Bool)

    init(
        fit: ProfileFit, patterns: [Int], as family: BarFamily, frame: BarFrame, isReversed: Bool, margin: Float
    ) {
        self.fit = fit
        self.patterns = patterns
        self.family = family
        self.frame = frame
        self.isReversed = isReversed
        self.margin = margin
        explained = fit.explained
        quietZones = fit.quietZones
    }

    /// In pixels, on average.
    package var moduleWidth: Float {
        let count = fit.layout.modules
        return abs(fit.place(ofModule: count) - fit.place(ofModule: 0)) / count
    }
    /// Blur of the edges, beyond that of the pixels, as a standard deviation in modules.
    package var blur: Float { fit.sigma }
    /// Where the first bar begins and the last one ends on the line, in pixels of the picture, in the line's direction.
    package var ends: (from: Point, to: Point) {
        let (first, last) = (fit.place(ofModule: 0), fit.place(ofModule: fit.layout.modules))
        return isReversed
            ? (frame.picturePoint(along: frame.length - last), frame.picturePoint(along: frame.length - first))
            : (frame.picturePoint(along: first), frame.picturePoint(along: last))
    }

    /// Whether nothing else fits nearly as well.
    func isBeyondDoubt(by acceptance: Acceptance) -> Bool {
        margin >= acceptance.leastMargin(of: family) && explained >= acceptance.leastExplained
    }

    /// Modules between start and stop, of codes that have them.
    private var inner: ClosedRange<Float> {
        let pieces = fit.layout.pieces.filter(\.isCharacter)
        let (first, last) = (pieces.first?.end ?? 0, pieces.last?.start ?? 0)
        let step = 1 / Float(fit.layout.resolution)
        return Float(min(first, last)) * step...Float(last) * step
    }

    /// The code, if it passes.
    package func reading(by acceptance: Acceptance) -> SoftReading? {
        guard isBeyondDoubt(by: acceptance),
            let content = BarContent(patterns, fit.layout, isChecked: acceptance.needsCheck)
        else { return nil }
        guard !acceptance.needsCheck || fit.misfitOfEnds(beside: inner) <= family.mostMisfitOfEnds else { return nil }
        let isQuiet =
            content.mayBePart ? quietZones.left && quietZones.right : quietZones.left || quietZones.right
        guard isQuiet || !acceptance.needsQuiet else { return nil }
        var (from, to) = (fit.place(ofModule: 0), fit.place(ofModule: fit.layout.modules))
        let width = (to - from) / fit.layout.modules
        if isReversed { (from, to) = (frame.length - from, frame.length - to) }
        return SoftReading(
            symbology: content.symbology, bytes: content.bytes, isGS1: content.isGS1, margin: margin,
            explained: explained, moduleWidth: width, isReversed: isReversed, left: frame.picturePoint(along: from),
            right: frame.picturePoint(along: to))
    }
}
