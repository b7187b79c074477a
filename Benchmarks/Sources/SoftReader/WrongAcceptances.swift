import Foundation
import SoftReader
import Vocabulary

/// How often the soft reader accepts what isn't there: drawn codes too small, too blurred, too noisy or cut, other symbologies, noise. Counted
/// twice: as it accepts, and over the margin with check digit, parity pattern and quiet zones switched off, which is what the margin is worth
/// by itself.
struct WrongAcceptances {
    var codes = 10_000
    var seed: UInt64 = 1

    struct Result {
        var tried = 0
        /// With every test.
        var right = 0
        var wrong = 0
        /// Neither: what is covered leaves another code, which nobody can tell from a whole one.
        var untold = 0
        var wrongTexts: [String] = []
        /// Readings by margin, without check: those that are right, and those that are wrong.
        var rightByMargin = [Int](repeating: 0, count: 64)
        var wrongByMargin = [Int](repeating: 0, count: 64)

        mutating func add(_ other: Result) {
            tried += other.tried
            right += other.right
            wrong += other.wrong
            untold += other.untold
            wrongTexts += other.wrongTexts
            for index in rightByMargin.indices {
                rightByMargin[index] += other.rightByMargin[index]
                wrongByMargin[index] += other.wrongByMargin[index]
            }
        }
    }

    /// What is drawn.
    enum Subject: String, CaseIterable {
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

        var family: BarFamily {
            switch self {
            case .code128, .code128Unchecked, .code128Cut, .code128Bars, .code128OfEAN: .code128
            case .code39, .code39Cut, .code39Edge, .code39Bars, .code39Of128: .code39
            case .itf, .itfUnchecked, .itfCut, .itfOther, .itfCovered, .itfEdge, .itfBars, .itfOf128: .itf
            default: .retail
            }
        }
    }

    func measure(_ subject: Subject) -> Result {
        var random = SplitMix(seed: seed)
        let reader = SoftReader()
        var lenient = Acceptance()
        lenient.needsCheck = false
        lenient.needsQuiet = false
        lenient.leastMargin = 0
        var result = Result()
        for _ in 0..<codes {
            let module = Double.random(in: 0.45...1.2, using: &random)
            var c = CodePicture.conditions(
                module: module, blur: .random(in: 0.2...1.6, using: &random),
                noise: .random(in: 2...14, using: &random), by: &random)
            c.barLength = 24
            var truth: (any DrawnLinearCode)?
            // What the bars say, check or not.
            var drawn: (any DrawnLinearCode)?
            var untold: Set<String> = []
            let picture: CodePicture
            switch subject {
            case .ean13, .ean8, .upcE:
                let code = RetailCode.random(
                    subject == .ean8 ? .ean8 : subject == .upcE ? .upcE : .ean13, by: &random)
                truth = code
                picture = CodePicture(code, c, by: &random)
            case .unchecked:
                let code = RetailCode.random(
                    Bool.random(using: &random) ? .ean13 : .ean8, isChecked: false, by: &random)
                truth = code
                picture = CodePicture(code, c, by: &random)
            case .cut:
                let from = Double.random(in: 0...0.6, using: &random)
                c.printed = Bool.random(using: &random) ? from...1 : 0...(1 - from)
                if Int.random(in: 0..<4, using: &random) == 0 { c.printed = 0...0.53 }
                let code = RetailCode.random(.ean13, by: &random)
                // Right where enough of it is left: guards may miss.
                truth = code
                var cut = CodePicture(code, c, by: &random)
                cut.cropLine(to: c.printed)
                picture = cut
            case .code128, .code128Unchecked:
                let code = Code128Code.random(isChecked: subject == .code128, by: &random)
                // With a wrong check character, nothing is right.
                truth = subject == .code128 ? code : nil
                drawn = code
                picture = CodePicture(code, c, by: &random)
            case .code39:
                let code = Code39Code.random(by: &random)
                truth = code
                picture = CodePicture(code, c, by: &random)
            case .itf, .itfUnchecked:
                let code = ITFCode.random(isChecked: subject == .itf, by: &random)
                truth = subject == .itf ? code : nil
                drawn = code
                picture = CodePicture(code, c, by: &random)
            case .itfOther:
                let count = [6, 8, 10, 12, 16, 18, 20].randomElement(using: &random) ?? 12
                picture = CodePicture(ITFCode.random(count: count, by: &random), c, by: &random)
            case .itfCovered:
                let code = ITFCode.random(count: Bool.random(using: &random) ? 16 : 18, by: &random)
                c.printed = code.fourteenDigits(
                    atLeft: .random(using: &random), off: .random(in: -1.5...1.5, using: &random))
                // A bar of less than half a module may be seen or not.
                let half = 0.5 * Double(ITFCode.perModule) / Double(code.modules.count)
                untold = Set(
                    [-half, 0, half].compactMap { off in
                        code.shows(
                            between: max(0, c.printed.lowerBound + off)...min(1, c.printed.upperBound + off))
                    })
                var cut = CodePicture(code, c, by: &random)
                cut.cropLine(to: c.printed)
                picture = cut
            case .itfEdge:
                let code = ITFCode.random(count: Bool.random(using: &random) ? 16 : 18, by: &random)
                let part = code.fourteenDigits(
                    atLeft: .random(using: &random), off: .random(in: -1.5...6, using: &random))
                var cut = CodePicture(code, c, by: &random)
                cut.crop(to: part)
                picture = cut
            case .edge, .code39Edge:
                let from = Double.random(in: 0.05...0.6, using: &random)
                let code =
                    subject == .edge ? RetailCode.random(.ean13, by: &random) : subject.family.randomCode(by: &random)
                truth = code
                var cut = CodePicture(code, c, by: &random)
                cut.crop(to: Bool.random(using: &random) ? from...1 : 0...(1 - from))
                picture = cut
            case .code39Of128, .itfOf128: picture = CodePicture(Code128Code.random(by: &random), c, by: &random)
            case .code128Cut, .code39Cut, .itfCut:
                let from = Double.random(in: 0...0.6, using: &random)
                c.printed = Bool.random(using: &random) ? from...1 : 0...(1 - from)
                let code = subject.family.randomCode(by: &random)
                truth = code
                var cut = CodePicture(code, c, by: &random)
                cut.cropLine(to: c.printed)
                picture = cut
            case .code128OfEAN: picture = CodePicture(RetailCode.random(.ean13, by: &random), c, by: &random)
            case .bars, .code128Bars, .code39Bars, .itfBars:
                var modules: [UInt8] = []
                let counts = subject == .bars ? [95, 67, 51] : [57, 79, 101, 123, 145, 167, 95, 110]
                let count = counts.randomElement(using: &random) ?? 95
                while modules.count < count {
                    let dark: UInt8 = modules.last == 1 ? 0 : 1
                    modules += [UInt8](repeating: dark, count: .random(in: 1...4, using: &random))
                }
                picture = CodePicture(modules: modules, c, by: &random)
            case .touching:
                let code = RetailCode.random(.ean13, by: &random)
                let other = RetailCode.random(.ean13, by: &random)
                let gap = [UInt8](repeating: 0, count: .random(in: 1...9, using: &random))
                var both = CodePicture(modules: code.modules + gap + other.modules, c, by: &random)
                let count = Double(both.moduleCount)
                both.cropLine(to: Bool.random(using: &random) ? 0...95 / count : (count - 95) / count...1)
                truth = nil
                picture = both
                result.tried += 1
                judge(reader.read(picture, off: 0.05, &random), [code, other], &result)
                continue
            case .noise:
                c.paper = 128
                c.inkLuma = 128
                c.noise = 25
                picture = CodePicture(modules: [UInt8](repeating: 0, count: 95), c, by: &random)
            }
            result.tried += 1
            let line = picture.located(off: 0.05, by: &random)
            let look = picture.withSamples { reader.look($0, on: line, as: subject.family) }
            let accepted = look?.reading(by: reader.acceptance)
            if let accepted, untold.contains(String(decoding: accepted.bytes, as: UTF8.self)) {
                result.untold += 1
            } else {
                judge(accepted, truth.map { [$0] } ?? [], &result)
            }
            if let unchecked = look?.reading(by: lenient) {
                let bin = min(63, Int(unchecked.margin))
                let text = String(decoding: unchecked.bytes, as: UTF8.self)
                if (drawn ?? truth)?.isSaid(by: text) == true {
                    result.rightByMargin[bin] += 1
                } else {
                    result.wrongByMargin[bin] += 1
                }
            }
        }
        return result
    }

    private func judge(_ reading: SoftReading?, _ truths: [any DrawnLinearCode], _ result: inout Result) {
        guard let reading else { return }
        let text = String(decoding: reading.bytes, as: UTF8.self)
        if truths.contains(where: { $0.isSaid(by: text) }) {
            result.right += 1
        } else {
            result.wrong += 1
            result.wrongTexts.append(
                "\(text) for \(truths.map(\.meaning)), margin \(reading.margin), explained \(reading.explained)")
        }
    }

    static func summary(_ result: Result, _ name: String) -> String {
        "\(name): \(result.tried) tried, \(result.right) right, \(result.wrong) wrong"
            + (result.untold > 0 ? " (and \(result.untold) of what looks whole)" : "")
    }

    static func print(_ result: Result, _ name: String) {
        Swift.print(summary(result, name))
        for text in result.wrongTexts.prefix(20) { Swift.print("  wrong: " + text) }
        var (right, wrong) = (0, 0)
        var rows: [String] = []
        for bin in (0..<64).reversed() {
            right += result.rightByMargin[bin]
            wrong += result.wrongByMargin[bin]
            if bin <= 20 || bin % 8 == 0, wrong > 0 || bin <= 12 {
                rows.append("  margin ≥ \(bin): right \(right), wrong \(wrong)")
            }
        }
        Swift.print(rows.reversed().joined(separator: "\n"))
    }
}

extension SoftReader {
    fileprivate func read(_ picture: CodePicture, off: Double, _ random: inout SplitMix) -> SoftReading? {
        let line = picture.located(off: off, by: &random)
        return picture.withSamples { read($0, on: line) }
    }
}
