/// The linear codes that are searched together, as they may be told from each other only by what fits better.
package enum BarFamily: Hashable, CaseIterable, Sendable {
    /// EAN-13, EAN-8, UPC-A, UPC-E.
    case retail
    case code128
    case code39
    /// Interleaved 2 of 5 with fourteen digits and a check digit (ITF-14).
    case itf14
    case code93
    /// Codabar of digits, `-` and `$`.
    case codabar
}

extension BarFamily {
    /// In pixels: smaller ones can't be read.
    static let leastModule: Float = 0.5

    /// How far off the ends of a line may be, as a part of its length. An Interleaved 2 of 5 begins with its narrowest bars: when they are blurred,
    /// little of them shows.
    var reach: Float { self == .itf14 ? 0.12 : 0.08 }

    /// Lengths that are searched, where there are many. Codes with two widths have several for each number of symbols; how an ITF-14 or a Code 93
    /// begins and ends says little. With half as many, of small Codabar and Code 93 two of three were read (Benchmarks, `soft-reader`).
    var mostLengths: Int {
        switch self {
        case .retail, .code128: 3
        case .code39: 4
        case .itf14, .code93: 6
        case .codabar: 9
        }
    }

    /// The margin that a code must have at least, whatever `Acceptance` asks of all.
    var leastMargin: Float {
        switch self {
        // A check digit or character vouches for what the bars say.
        case .retail, .code128, .code93: 0
        // Nothing does. Of 2,000 cut ones of less than 1.2 pixels a module, two were read as shorter ones, with margins of 21 and 25.
        case .code39: 28
        // Nor here, where a letter at an end is as wide as much else. Of 1,000 cut ones, one was read as a shorter one, with a margin of 28.
        case .codabar: 40
        // Every second pair of bars may be a start. Of 2,000 covered ones, one was read as an ITF-14 with a margin of 19, beside those that
        // nobody can tell from one.
        case .itf14: 20
        }
    }

    /// How badly start and stop may fit, as a part of how the rest does.
    var mostMisfitOfEnds: Float { self == .codabar ? 4 : .infinity }

    /// The modules of the longest code of the family on a line of `length` pixels.
    func mostModules(length: Float) -> Int {
        let retail = Int(BarLayout.ean13.modules)
        guard let longest = CodeLength.all(of: self).map(\.modules).max() else { return retail }
        return min(Int(longest), max(retail, Int(length / Self.leastModule)))
    }
}
