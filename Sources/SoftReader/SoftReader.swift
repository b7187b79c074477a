import Vocabulary

/// Reads linear codes that are too small or too blurred for readers that look for edges: it compares the light along a line with what each character
/// would look like through the same lens. Characters are free, digits of EAN and UPC in their sets, too: that the best of all strings happens to have
/// a right check digit and an existing parity pattern, or a right check character, is evidence for it.
package struct SoftReader: Sendable {
    package var acceptance = Acceptance()
    /// Whether a line may have more on it than an EAN or UPC. It matters for `BarFamily.retail` only.
    package var looksForParts = true

    package init() {}

    private static let leastSamples = 60
    /// A code whose rough find explains less of the profile isn't fitted.
    private static let leastRough: Float = 0.3
    /// With a rough find this good, no other layout is tried.
    private static let goodRough: Float = 0.85
    /// Rough finds that are fitted.
    private static let mostFits = 2
    /// With a fit that explains this much, no other find is tried.
    private static let goodFit: Float = 0.9
    /// Times that fitting and searching take turns.
    private static let mostRounds = 5
    /// Log-likelihood ratio by which a rival is out of the race without being fitted.
    private static let clear: Float = 60
    /// Rival strings that are refitted for the margin.
    private static let rivals = 4

    /// The code on `line` of `samples`, if there is one beyond doubt.
    ///
    /// - Parameters:
    ///   - samples: their pixels must stay valid until this returns; nothing of them is kept.
    ///   - family: the only codes that are looked for. Those that may have any length take several times as long as EAN and UPC.
    /// - Returns: `nil` where `look` has nothing, and where `acceptance` refuses what it has: too small a margin, too little explained, a wrong check
    ///   digit, no quiet zone.
    package func read(_ samples: LumaSamples, on line: CodeLine, as family: BarFamily = .retail) -> SoftReading? {
        look(samples, on: line, as: family)?.reading(by: acceptance)
    }

    /// The best string of bars on `line` of `samples`, right or not. Parameters as in `read`.
    ///
    /// - Returns: `nil` if the line is too short, too long or too thin for any code, isn't finite, or shows too little of the picture; and if nothing
    ///   on it resembles a code of `family`.
    package func look(_ samples: LumaSamples, on line: CodeLine, as family: BarFamily = .retail) -> SoftLook? {
        guard let (profile, frame) = profile(samples, on: line, family) else { return nil }
        let whole = best(profile, frame, family)
        guard looksForParts, family == .retail, whole?.isBeyondDoubt(by: acceptance) != true,
            let bars = EnclosedBars(profile, length: frame.length),
            let part = bars.line(on: frame, height: line.height),
            let (partProfile, partFrame) = self.profile(samples, on: part, family),
            let other = best(partProfile.within(bars.quiet, length: partFrame.length), partFrame, family),
            other.isBeyondDoubt(by: acceptance) || whole == nil
        else { return whole }
        return other
    }

    private func profile(
        _ samples: LumaSamples, on line: CodeLine, _ family: BarFamily
    ) -> (profile: BarProfile, frame: BarFrame)? {
        guard samples.width > 0, samples.height > 0, let frame = BarFrame(line) else { return nil }
        let modules = family.mostModules(length: frame.length)
        let profile = BarProfile(samples, BandAlignment(samples, frame), modules: modules)
        return profile.places.count >= Self.leastSamples ? (profile, frame) : nil
    }

    private func best(_ profile: BarProfile, _ frame: BarFrame, _ family: BarFamily) -> SoftLook? {
        let even = EvenProfile(profile, length: frame.length, modules: family.mostModules(length: frame.length))
        let finds =
            switch family {
            case .retail: retailFinds(even, frame.length)
            case .code128, .code39, .itf14, .code93, .codabar: finds(even, frame.length, of: family)
            }
        return best(of: finds, as: family, profile, frame)
    }

    private struct RoughFind {
        let find: RoughSearch.Find
        let isReversed: Bool
        var explained: Float { find.explained }
    }

    private func best(
        of finds: [RoughFind], as family: BarFamily, _ profile: BarProfile, _ frame: BarFrame
    ) -> SoftLook? {
        let length = frame.length
        let worthwhile = finds.filter { $0.explained > Self.leastRough }.sorted { $0.explained > $1.explained }
        var best: SoftLook?
        for rough in worthwhile.prefix(Self.mostFits) {
            // A code may have any number of modules: its number is known only now.
            let enough =
                family == .retail ? profile : profile.coarser(modules: rough.find.layout.modules, length: length)
            let seen = rough.isReversed ? enough.reversed(length: length) : enough
            guard var fit = ProfileFit(seen, rough.find, length: length) else { continue }
            var patterns = rough.find.patterns
            findWideBars(&fit, &patterns)
            guard let margin = settle(&fit, &patterns), fit.explained > best?.explained ?? 0 else { continue }
            best = SoftLook(
                fit: fit, patterns: patterns, as: family, frame: frame, isReversed: rough.isReversed, margin: margin)
            // Nothing else on this line can be as good.
            if fit.explained > Self.goodFit { break }
        }
        return best
    }

    private func retailFinds(_ profile: EvenProfile, _ length: Float) -> [RoughFind] {
        let back = profile.reversed(length: length)
        let ends = CodeEnds(profile, length: length, reach: BarFamily.retail.reach)
        var finds: [RoughFind] = []
        func appendFinds(by search: RoughSearch, isReversed: Bool) {
            for left in ends.left {
                for right in ends.right {
                    let find =
                        isReversed
                        ? search.find(back, from: length - right, to: length - left)
                        : search.find(profile, from: left, to: right)
                    if let find { finds.append(RoughFind(find: find, isReversed: isReversed)) }
                }
            }
        }
        for layout in [BarLayout.ean13, .ean8, .upcE] {
            let search = RoughSearch(layout: layout)
            for isReversed in [false, true] {
                appendFinds(by: search, isReversed: isReversed)
                if finds.contains(where: { $0.explained > Self.goodRough }) { return finds }
            }
        }
        return finds
    }

    private func finds(_ profile: EvenProfile, _ length: Float, of family: BarFamily) -> [RoughFind] {
        let lengths = CodeLength.all(of: family)
        let back = profile.reversed(length: length)
        var finds: [RoughFind] = []
        let lengthSearch = LengthSearch(profile, length: length, reach: family.reach, among: lengths)
        for match in lengthSearch.matches.prefix(family.mostLengths) {
            let search = RoughSearch(layout: match.length.layout)
            let find =
                match.isReversed
                ? search.find(back, from: length - match.right, to: length - match.left)
                : search.find(profile, from: match.left, to: match.right)
            guard let find else { continue }
            finds.append(RoughFind(find: find, isReversed: match.isReversed))
            if find.explained > Self.goodRough { break }
        }
        return finds
    }

    /// How wide the wide bars of a code with two widths are: start and stop tell it roughly, all characters together exactly.
    private func findWideBars(_ fit: inout ProfileFit, _ patterns: inout [Int]) {
        guard let first = fit.layout.wide else { return }
        fit.refine(patterns, steps: 3)
        for step in [-1, 1] {
            var wide = first + step
            while let other = fit.layout.widened(patterns, to: wide) {
                var trial = fit.laidOut(as: other.layout)
                trial.refine(other.patterns, steps: 4)
                guard trial.squares < fit.squares else { break }
                (fit, patterns) = (trial, other.patterns)
                wide += step
            }
        }
    }

    /// Fits and searches in turn until no string fits better than the one that was fitted.
    /// - Returns: the least log-likelihood ratio of that string against a rival, each fitted for itself; `nil` if there was no end to it.
    private func settle(_ fit: inout ProfileFit, _ patterns: inout [Int]) -> Float? {
        for round in 0..<Self.mostRounds {
            fit.refine(patterns, steps: 3)
            let search = FineSearch(fit, patterns, mostOthers: Self.rivals)
            // Bars of something else.
            if round > 0, !fit.layout.isFramed(search.best) { return nil }
            guard search.best == patterns else {
                patterns = search.best
                continue
            }
            fit.refine(patterns, steps: 3)
            let evidence = LocalNoise(fit)
            var margin = Float.infinity
            var better: ProfileFit?
            for other in search.others {
                // Far behind already: refitting would halve the distance at most.
                let unfitted = other.excess / (2 * fit.noise) * fit.independence
                guard unfitted < Self.clear else {
                    margin = min(margin, unfitted / 2)
                    continue
                }
                var rival = fit
                rival.refine(other.patterns, steps: 3)
                margin = min(margin, evidence.logRatio(fit, over: rival))
                if rival.squares < better?.squares ?? fit.squares {
                    better = rival
                    patterns = other.patterns
                }
            }
            guard let better else { return margin }
            fit = better
        }
        return nil
    }
}
