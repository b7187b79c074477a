import Vocabulary

/// Reads EAN-13, EAN-8, UPC-A and UPC-E that are too small or too blurred for readers that look for edges: it compares the light along a
/// line with what each digit would look like through the same lens. Digits and their sets are free; that the best of all strings happens
/// to have a right check digit and an existing parity pattern is evidence for it.
package struct SoftReader: Sendable {
    package var acceptance = Acceptance()

    package init() {}

    /// A code isn't fitted further if its rough find explains less of the profile.
    private static let leastRough: Float = 0.3
    /// A rough find this good needs no other layout tried.
    private static let goodRough: Float = 0.85
    /// Rough finds that are fitted.
    private static let mostFits = 2
    /// Rival strings that are fitted anew for the margin.
    private static let rivals = 4

    /// The code on `line` of `samples`, if there is one beyond doubt.
    package func read(_ samples: LumaSamples, on line: CodeLine) -> SoftReading? {
        look(samples, on: line).flatMap { reading($0, on: line) }
    }

    /// What a look at a line came to: the best string, right or not.
    struct Look {
        var fit: ProfileFit
        var patterns: [Int]
        var margin: Float
        var isReversed: Bool
        var explained: Float
        var quietLeft: Bool
        var quietRight: Bool
    }

    func look(_ samples: LumaSamples, on line: CodeLine) -> Look? {
        guard let start = BarFrame(line) else { return nil }
        let alignment = BandAlignment(samples, start)
        let profile = BarProfile(samples, alignment)
        return look(profile, length: start.length)
    }

    func look(_ profile: BarProfile, length: Float) -> Look? {
        guard profile.places.count >= 60 else { return nil }
        let forth = EvenProfile(profile, length: length)
        let finds = roughFinds(forth, length)
        var best: Look?
        for (find, isReversed) in finds.prefix(Self.mostFits) {
            let seen = isReversed ? profile.reversed(length: length) : profile
            guard var fit = ProfileFit(seen, find, length: length) else { continue }
            var patterns = find.patterns
            fit.refine(patterns, steps: 3)
            var search = FineSearch(fit, mostOthers: Self.rivals)
            for _ in 0..<3 where search.best != patterns {
                patterns = search.best
                fit.refine(patterns, steps: 3)
                search = FineSearch(fit, mostOthers: Self.rivals)
            }
            guard search.best == patterns else { continue }
            fit.refine(patterns, steps: 3)
            let explained = fit.explained
            if let best, best.explained >= explained { continue }
            let quiet = fit.quietZones
            best = Look(
                fit: fit, patterns: patterns, margin: margin(fit, search), isReversed: isReversed,
                explained: explained, quietLeft: quiet.left, quietRight: quiet.right)
        }
        return best
    }

    private func roughFinds(_ profile: EvenProfile, _ length: Float) -> [(RoughSearch.Find, Bool)] {
        let back = profile.reversed(length: length)
        let ends = CodeEnds(profile, length: length)
        var finds: [(RoughSearch.Find, Bool)] = []
        for layout in [RetailLayout.ean13, .ean8, .upcE] {
            let search = RoughSearch(layout: layout)
            for left in ends.left {
                for right in ends.right {
                    if let find = search.find(profile, from: left, to: right) { finds.append((find, false)) }
                    if let find = search.find(back, from: length - right, to: length - left) {
                        finds.append((find, true))
                    }
                }
            }
            if finds.contains(where: { $0.0.explained > Self.goodRough }) { break }
        }
        return finds.filter { $0.0.explained > Self.leastRough }.sorted { $0.0.explained > $1.0.explained }
    }

    /// The least of the rivals' sums of squares, each fitted for itself, as a log-likelihood ratio.
    private func margin(_ fit: ProfileFit, _ search: FineSearch) -> Float {
        var least = Float.infinity
        for other in search.others {
            var rival = fit
            rival.refine(other.patterns, steps: 3)
            least = min(least, rival.squares - fit.squares)
        }
        return least / (2 * fit.noise) * fit.independence
    }

    private func reading(_ look: Look, on line: CodeLine) -> SoftReading? {
        let fit = look.fit
        guard look.margin >= acceptance.leastMargin, look.explained >= acceptance.leastExplained,
            let number = RetailNumber(look.patterns, fit.layout, isChecked: acceptance.needsCheck)
        else { return nil }
        // The left half of EAN-13 has the bars of a UPC-E: only paper tells.
        let isQuiet =
            number.symbology == .upcE ? look.quietLeft && look.quietRight : look.quietLeft || look.quietRight
        guard isQuiet || !acceptance.needsQuiet, let frame = BarFrame(line) else { return nil }
        var (from, to) = (fit.place(ofModule: 0), fit.place(ofModule: Float(fit.layout.moduleCount)))
        let width = (to - from) / Float(fit.layout.moduleCount)
        if look.isReversed { (from, to) = (frame.length - from, frame.length - to) }
        return SoftReading(
            symbology: number.symbology, digits: number.digits, margin: look.margin,
            residual: fit.noise.squareRoot() / max(fit.contrast[0], 1), explained: look.explained,
            moduleWidth: width, blur: fit.sigma, inkSpread: fit.ink, isReversed: look.isReversed,
            left: frame.picturePoint(along: from), right: frame.picturePoint(along: to))
    }
}
