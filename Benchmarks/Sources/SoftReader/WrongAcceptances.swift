import SoftReader

/// How often the soft reader accepts what isn't there: drawn codes too small, too blurred, too noisy or cut, other symbologies, noise. Counted
/// twice: as it accepts, and over the margin with check digit, parity pattern and quiet zones switched off, which is what the margin is worth
/// by itself.
struct WrongAcceptances {
    var codes = 10_000
    var seed: UInt64 = 1
    /// Pixels a module that are drawn. Larger ones have more samples, and larger margins, right or wrong.
    var modules = 0.45...1.2

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

        fileprivate mutating func count(_ reading: SoftReading?, of drawing: MisreadSubject.Drawing) {
            guard let reading else { return }
            let text = String(decoding: reading.bytes, as: UTF8.self)
            if drawing.untold.contains(text) {
                untold += 1
            } else if drawing.truths.contains(where: { $0.isSaid(by: text) }) {
                right += 1
            } else {
                let truths = drawing.truths.map(\.meaning)
                wrong += 1
                wrongTexts.append(
                    "\(text) for \(truths), margin \(reading.margin), explained \(reading.explained)")
            }
        }

        fileprivate mutating func countByMargin(_ reading: SoftReading?, of drawing: MisreadSubject.Drawing) {
            guard let reading else { return }
            let bin = Int(min(63, reading.margin))
            let text = String(decoding: reading.bytes, as: UTF8.self)
            if (drawing.truths + drawing.unchecked).contains(where: { $0.isSaid(by: text) }) {
                rightByMargin[bin] += 1
            } else {
                wrongByMargin[bin] += 1
            }
        }
    }

    /// Any margin will do, without check digit, parity pattern and quiet zones.
    private static let lenient: Acceptance = {
        var out = Acceptance()
        out.needsCheck = false
        out.needsQuiet = false
        out.leastMargin = 0
        return out
    }()

    func measure(_ subject: MisreadSubject) -> Result {
        var random = SplitMix(seed: seed)
        let reader = SoftReader()
        var result = Result()
        for _ in 0..<codes {
            let conditions = conditions(by: &random)
            let drawing = subject.draw(conditions, by: &random)
            let line = drawing.picture.located(off: 0.05, by: &random)
            let look = drawing.picture.withSamples { reader.look($0, on: line, as: subject.family) }
            result.tried += 1
            result.count(look?.reading(by: reader.acceptance), of: drawing)
            if drawing.countsByMargin { result.countByMargin(look?.reading(by: Self.lenient), of: drawing) }
        }
        return result
    }

    private func conditions(by random: inout SplitMix) -> CodePicture.Conditions {
        let module = Double.random(in: modules, using: &random)
        var out = CodePicture.conditions(
            module: module, blur: .random(in: 0.2...1.6, using: &random),
            noise: .random(in: 2...14, using: &random), by: &random)
        out.barLength = 24
        return out
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
