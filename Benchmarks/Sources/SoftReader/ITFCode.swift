import Vocabulary

/// An Interleaved 2 of 5 to draw, by the standard's table. Written apart from the reader's, so that a mistake in one of them shows.
struct ITFCode: DrawnLinearCode {
    let digits: String
    /// 1 is a bar; entries are eighths of a module.
    let modules: [UInt8]
    /// Where each pair of digits begins, and the stop, in entries.
    private let begins: [Int]
    private let wide: Int
    static let perModule = 8
    var entriesPerModule: Int { Self.perModule }

    /// The two wide ones of each digit's five, counted from the left.
    private static let wides: [Set<Int>] = [
        [2, 3], [0, 4], [1, 4], [0, 1], [2, 4], [0, 2], [1, 2], [3, 4], [0, 3], [1, 3],
    ]

    /// - Parameters:
    ///   - digits: an even number.
    ///   - wide: eighths of a module.
    init(_ digits: [Int], wide: Int) {
        self.digits = digits.map(String.init).joined()
        let narrow = Self.perModule
        self.wide = wide
        var widths = [narrow, narrow, narrow, narrow]
        var begins = [4 * narrow]
        for pair in stride(from: 0, to: digits.count - 1, by: 2) {
            for place in 0..<5 {
                for digit in [digits[pair], digits[pair + 1]] {
                    widths.append(Self.wides[digit].contains(place) ? wide : narrow)
                }
            }
            begins.append(widths.reduce(0, +))
        }
        self.begins = begins
        widths += [wide, narrow, narrow]
        modules = widths.enumerated().flatMap { [UInt8](repeating: $0 % 2 == 0 ? 1 : 0, count: $1) }
    }

    /// Wide ones of 2 to 3 modules.
    /// - Parameter isChecked: otherwise the last digit is any, but not the check digit.
    static func random(count: Int = 14, isChecked: Bool = true, by random: inout SplitMix) -> ITFCode {
        var digits = (0..<count - 1).map { _ in Int.random(in: 0...9, using: &random) }
        let sum = digits.reversed().enumerated().reduce(0) { $0 + $1.element * ($1.offset % 2 == 0 ? 3 : 1) }
        let check = (10 - sum % 10) % 10
        digits.append(isChecked ? check : (check + Int.random(in: 1...9, using: &random)) % 10)
        return ITFCode(digits, wide: .random(in: 2 * perModule...3 * perModule, using: &random))
    }

    /// The part of a code of more digits that shows fourteen of them, and what may look like a start or a stop.
    /// - Parameter off: modules that it is longer than that.
    func fourteenDigits(atLeft: Bool, off: Double) -> ClosedRange<Double> {
        let (count, longer) = (Double(modules.count), off * Double(Self.perModule))
        if atLeft { return 0...min(1, (Double(begins[7] + wide + 2 * Self.perModule) + longer) / count) }
        return max(0, (Double(begins[begins.count - 8] - 4 * Self.perModule) - longer) / count)...1
    }

    /// The fourteen digits that bars between two places show, if they are start, pairs, stop and a right check digit: nobody can tell that something
    /// covers the rest.
    /// - Parameter part: what paper doesn't cover, as a part of the whole.
    func shows(between part: ClosedRange<Double>) -> String? {
        let whole = Double(modules.count)
        let visible = Int(part.lowerBound * whole)..<Int(part.upperBound * whole)
        var runs: [(isBar: Bool, width: Int)] = []
        for index in visible {
            let isBar = modules[index] == 1
            if runs.last?.isBar == isBar { runs[runs.count - 1].width += 1 } else { runs.append((isBar, 1)) }
        }
        // Paper on paper isn't seen.
        runs = Array(runs.drop { !$0.isBar })
        if runs.last?.isBar == false { runs.removeLast() }
        let widest = modules.split { $0 == 0 }.map(\.count).max() ?? Self.perModule
        let isWide = runs.map { 2 * $0.width > Self.perModule + widest }
        guard runs.count == 77, isWide.prefix(4).allSatisfy({ !$0 }), isWide.suffix(3) == [true, false, false] else {
            return nil
        }
        var digits: [Int] = []
        for pair in stride(from: 4, to: 74, by: 10) {
            for first in [pair, pair + 1] {
                let wides = Set((0..<5).filter { isWide[first + 2 * $0] })
                guard let digit = Self.wides.firstIndex(of: wides) else { return nil }
                digits.append(digit)
            }
        }
        let text = digits.map(String.init).joined()
        return CheckDigit.isValidGS1Mod10(Array(text.utf8)) ? text : nil
    }

    var meaning: String { digits }
    func isSaid(by text: String) -> Bool { text == digits }
}
