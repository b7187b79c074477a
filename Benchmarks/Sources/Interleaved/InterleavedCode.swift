/// An Interleaved 2 of 5 to draw: its modules, by ISO/IEC 16390.
struct InterleavedCode {
    let text: String
    /// Modules of a wide element.
    let wide: Int
    /// 1 is a bar.
    let modules: [UInt8]
    /// A reader that sees just this many modules, and paper behind them, sees whole pairs of digits and a stop pattern: a shorter code,
    /// which nobody can tell from a true one. The last bar may be the begin of a wide one, and the paper goes as far as the next.
    let falseEnds: Set<Int>

    /// Narrow or wide, for the five bars or spaces of a digit.
    private static let digits = [
        "00110", "10001", "01001", "11000", "00101", "10100", "01100", "00011", "10010", "01010",
    ].map { $0.utf8.map { $0 == 0x31 } }

    /// - Parameters:
    ///   - text: an even number of digits.
    ///   - wide: modules of a wide element: 2 or 3.
    init(_ text: String, wide: Int) {
        self.text = text
        self.wide = wide
        var modules: [UInt8] = [1, 0, 1, 0]
        let values = text.utf8.map { Int($0) - 48 }
        for pair in stride(from: 0, to: values.count - 1, by: 2) {
            for (bar, space) in zip(Self.digits[values[pair]], Self.digits[values[pair + 1]]) {
                modules += [UInt8](repeating: 1, count: bar ? wide : 1)
                modules += [UInt8](repeating: 0, count: space ? wide : 1)
            }
        }
        self.modules = modules + [UInt8](repeating: 1, count: wide) + [0, 1]
        var starts = [4]
        for pair in stride(from: 0, to: values.count - 1, by: 2) {
            let elements = Self.digits[values[pair]] + Self.digits[values[pair + 1]]
            starts.append((starts.last ?? 0) + elements.map { $0 ? wide : 1 }.reduce(0, +))
        }
        let bars = self.modules
        falseEnds = Set(
            starts.dropFirst().dropLast().flatMap { start -> [Int] in
                let stop = start + wide + 1
                guard bars[start..<(start + wide)].allSatisfy({ $0 == 1 }), bars[start + wide] == 0, bars[stop] == 1
                else {
                    return []
                }
                let bar = bars[stop...].prefix { $0 == 1 }.count
                let space = bars[(stop + bar)...].prefix { $0 == 0 }.count
                return Array((stop + 1)...(stop + (bar == 1 ? 1 + space : 2)))
            })
    }

    static func random(by random: inout SplitMix) -> InterleavedCode {
        let count = 2 * Int.random(in: 3...8, using: &random)
        let text = String((0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &random))) })
        return InterleavedCode(text, wide: Int.random(in: 2...3, using: &random))
    }
}
