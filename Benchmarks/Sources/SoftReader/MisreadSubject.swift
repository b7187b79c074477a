import SoftReader
import Vocabulary

/// What is drawn to see whether the soft reader accepts what isn't there, and what may be read of it.
enum MisreadSubject: String, CaseIterable {
    case ean13, ean8, upcE
    /// Random check digits: nothing may be accepted unless it happens to be right.
    case unchecked
    /// Part of an EAN-13, with paper or with nothing beyond; half of it.
    case cut
    /// One that the picture's edge cuts: its half may look like a UPC-E.
    case edge
    /// Bars of random widths, as other symbologies have; two codes that touch.
    case bars, touching
    case noise
    case code128
    /// A Code 128 with a wrong check character; a part of one; bars of another number of modules; an EAN-13 as Code 128.
    case code128Unchecked, code128Cut, code128Bars, code128OfEAN
    /// Code 39, which has no check; a part of one; bars of other widths; a Code 128 as Code 39.
    case code39, code39Cut, code39Edge, code39Bars, code39Of128
    /// ITF-14; one with a wrong check digit; a part of one; one of more or fewer digits; one of more digits of which paper covers what makes it
    /// longer, or the picture's edge cuts it off; bars of other widths; a Code 128 as ITF-14.
    case itf, itfUnchecked, itfCut, itfOther, itfCovered, itfEdge, itfBars, itfOf128
    /// Code 93; one with wrong check characters; a part of one; bars of another number of modules; a Code 128 as Code 93.
    case code93, code93Unchecked, code93Cut, code93Bars, code93Of128
    /// Codabar, which has no check; one with characters that the soft reader doesn't know, mostly one of them; a part of one; one that paper covers up to the
    /// edge of a bar, or to somewhere within it; bars of other widths; a Code 39 as Codabar, and any of the others.
    case codabar, codabarOther, codabarCut, codabarCovered, codabarSliced, codabarEdge, codabarBars, codabarOf39,
        codabarOfOthers
    /// An EAN-13 in so much light that paper is burnt out, all of it or at one end.
    case burnt

    var family: BarFamily {
        switch self {
        case .code128, .code128Unchecked, .code128Cut, .code128Bars, .code128OfEAN: .code128
        case .code39, .code39Cut, .code39Edge, .code39Bars, .code39Of128: .code39
        case .itf, .itfUnchecked, .itfCut, .itfOther, .itfCovered, .itfEdge, .itfBars, .itfOf128: .itf14
        case .code93, .code93Unchecked, .code93Cut, .code93Bars, .code93Of128: .code93
        case .codabar, .codabarOther, .codabarCut, .codabarCovered, .codabarSliced, .codabarEdge, .codabarBars,
            .codabarOf39, .codabarOfOthers:
            .codabar
        default: .retail
        }
    }

    struct Drawing {
        let picture: CodePicture
        /// Reading one of them is right.
        var truths: [any DrawnLinearCode] = []
        /// What the bars say besides, if nobody asks for the check.
        var unchecked: [any DrawnLinearCode] = []
        /// What covered codes leave that nobody can tell from a whole one.
        var untold: Set<String> = []
        /// Whether it counts over the margin, without check, too.
        var countsByMargin = true
    }

    /// A subject draws its random numbers in the same order for ever: figures that are published name their seed.
    func draw(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        switch self {
        case .ean13, .ean8, .upcE, .unchecked, .code128, .code39, .itf, .code93, .codabar, .codabarOther:
            let code = randomCode(by: &random)
            return Drawing(picture: CodePicture(code, conditions, by: &random), truths: [code])
        case .burnt:
            var conditions = conditions
            conditions.paper = Double.random(in: 245...330, using: &random)
            let code = randomCode(by: &random)
            return Drawing(picture: CodePicture(code, conditions, by: &random), truths: [code])
        case .code128Unchecked, .itfUnchecked, .code93Unchecked:
            let code = randomCode(by: &random)
            return Drawing(picture: CodePicture(code, conditions, by: &random), unchecked: [code])
        case .code128OfEAN, .code39Of128, .itfOf128, .itfOther, .code93Of128, .codabarOf39,
            .codabarOfOthers:
            let code = randomCode(by: &random)
            return Drawing(picture: CodePicture(code, conditions, by: &random))
        case .cut, .code128Cut, .code39Cut, .itfCut, .code93Cut, .codabarCut: return part(conditions, by: &random)
        case .edge, .code39Edge, .codabarEdge: return partAtEdge(conditions, by: &random)
        case .codabarCovered, .codabarSliced: return coveredCodabar(conditions, by: &random)
        case .itfCovered: return Self.coveredITF(conditions, by: &random)
        case .itfEdge: return Self.longITFAtEdge(conditions, by: &random)
        case .bars, .code128Bars, .code39Bars, .itfBars, .code93Bars, .codabarBars:
            return randomBars(conditions, by: &random)
        case .touching: return Self.touchingCodes(conditions, by: &random)
        case .noise: return Self.plainNoise(conditions, by: &random)
        }
    }

    private func randomCode(by random: inout SplitMix) -> any DrawnLinearCode {
        switch self {
        case .ean8: return RetailCode.random(.ean8, by: &random)
        case .upcE: return RetailCode.random(.upcE, by: &random)
        case .unchecked:
            return RetailCode.random(Bool.random(using: &random) ? .ean13 : .ean8, isChecked: false, by: &random)
        case .code128Unchecked: return Code128Code.random(isChecked: false, by: &random)
        case .code128OfEAN: return RetailCode.random(.ean13, by: &random)
        case .code39Of128, .itfOf128, .code93Of128: return Code128Code.random(by: &random)
        case .itfUnchecked: return ITFCode.random(isChecked: false, by: &random)
        case .itfOther:
            let count = [6, 8, 10, 12, 16, 18, 20].randomElement(using: &random) ?? 12
            return ITFCode.random(count: count, by: &random)
        case .code93Unchecked: return Code93Code.random(isChecked: false, by: &random)
        case .codabarOther: return CodabarCode.random(others: CodabarCode.unknown, by: &random)
        case .codabarOf39: return Code39Code.random(by: &random)
        case .codabarOfOthers:
            let others: [BarFamily] = [.retail, .code128, .itf14, .code93]
            return (others.randomElement(using: &random) ?? .retail).randomCode(by: &random)
        default: return family.randomCode(by: &random)
        }
    }

    /// Right where enough of it is left: guards may miss.
    private func part(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        var c = conditions
        let from = Double.random(in: 0...0.6, using: &random)
        c.printed = Bool.random(using: &random) ? from...1 : 0...(1 - from)
        if self == .cut, Int.random(in: 0..<4, using: &random) == 0 { c.printed = 0...0.53 }
        let code = randomCode(by: &random)
        var picture = CodePicture(code, c, by: &random)
        picture.cropLine(to: c.printed)
        return Drawing(picture: picture, truths: [code])
    }

    private func partAtEdge(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        let from = Double.random(in: 0.05...0.6, using: &random)
        let code = randomCode(by: &random)
        var picture = CodePicture(code, conditions, by: &random)
        picture.crop(to: Bool.random(using: &random) ? from...1 : 0...(1 - from))
        return Drawing(picture: picture, truths: [code])
    }

    private static func longITF(by random: inout SplitMix) -> ITFCode {
        ITFCode.random(count: Bool.random(using: &random) ? 16 : 18, by: &random)
    }

    private static func coveredITF(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        var c = conditions
        let code = longITF(by: &random)
        c.printed = code.fourteenDigits(
            atLeft: .random(using: &random), off: .random(in: -1.5...1.5, using: &random))
        // A bar of less than half a module may be seen or not.
        let half = 0.5 * Double(ITFCode.perModule) / Double(code.modules.count)
        let untold = [-half, 0, half].compactMap { off in
            code.shows(between: max(0, c.printed.lowerBound + off)...min(1, c.printed.upperBound + off))
        }
        var picture = CodePicture(code, c, by: &random)
        picture.cropLine(to: c.printed)
        return Drawing(picture: picture, untold: Set(untold))
    }

    private func coveredCodabar(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        var c = conditions
        let code = CodabarCode.random(others: self == .codabarSliced ? CodabarCode.unknown : "", by: &random)
        c.printed = code.uncovered(atLeft: .random(using: &random), by: &random)
        if self == .codabarSliced { c.printed = code.sliced(c.printed, by: &random) }
        var picture = CodePicture(code, c, by: &random)
        picture.cropLine(to: c.printed)
        return Drawing(picture: picture)
    }

    private static func longITFAtEdge(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        let code = longITF(by: &random)
        let part = code.fourteenDigits(
            atLeft: .random(using: &random), off: .random(in: -1.5...6, using: &random))
        var picture = CodePicture(code, conditions, by: &random)
        picture.crop(to: part)
        return Drawing(picture: picture)
    }

    private func randomBars(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        var modules: [UInt8] = []
        let counts =
            switch self {
            case .bars: [95, 67, 51]
            case .code93Bars: [46, 64, 82, 100, 118, 136]
            default: [57, 79, 101, 123, 145, 167, 95, 110]
            }
        let count = counts.randomElement(using: &random) ?? 95
        while modules.count < count {
            let dark: UInt8 = modules.last == 1 ? 0 : 1
            modules += [UInt8](repeating: dark, count: .random(in: 1...4, using: &random))
        }
        return Drawing(picture: CodePicture(modules: modules, conditions, by: &random))
    }

    private static func touchingCodes(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        let code = RetailCode.random(.ean13, by: &random)
        let other = RetailCode.random(.ean13, by: &random)
        let gap = [UInt8](repeating: 0, count: .random(in: 1...9, using: &random))
        var picture = CodePicture(modules: code.modules + gap + other.modules, conditions, by: &random)
        let count = Double(picture.moduleCount)
        picture.cropLine(to: Bool.random(using: &random) ? 0...95 / count : (count - 95) / count...1)
        return Drawing(picture: picture, truths: [code, other], countsByMargin: false)
    }

    private static func plainNoise(_ conditions: CodePicture.Conditions, by random: inout SplitMix) -> Drawing {
        var c = conditions
        c.paper = 128
        c.inkLuma = 128
        c.noise = 25
        return Drawing(picture: CodePicture(modules: [UInt8](repeating: 0, count: 95), c, by: &random))
    }
}
