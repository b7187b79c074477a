/// Counts the finder patterns of QR codes in a picture, roughly and cheaply: a picture with dozens of them is read in another way. It
/// searches every few rows for dark, light, dark, light, dark as 1:1:3:1:1, and checks the column through the middle of each match for the
/// same pattern; bars and text fail that check.
struct FinderCensus {
    let plane: LumaPlane
    /// Narrower modules, in pixels, aren't counted. A decoder may see a pattern even where it can't read the code.
    var leastModule = Self.leastReadableModule

    /// Only every n-th row is searched.
    private static let rowStep = 6
    /// The mean of the pixels up to this far on either side separates light from dark.
    private static let reach = 32
    /// Narrower modules, in pixels, can't be read.
    static let leastReadableModule: Float = 2
    /// How far a run may be off its expected length, in modules; the middle one may be off by twice that.
    private static let tolerance: Float = 0.5

    /// How many there are, give or take a fifth: several rows cross a large pattern, and each counts for its share.
    func count() -> Int {
        guard plane.width > 4 * Self.reach else { return 0 }
        var sums = [Int32](repeating: 0, count: plane.width + 1)
        var patterns: Float = 0
        for y in stride(from: Self.rowStep / 2, to: plane.height, by: Self.rowStep) { patterns += weigh(row: y, &sums) }
        return Int(patterns)
    }

    private func weigh(row y: Int, _ sums: inout [Int32]) -> Float {
        let line = plane.row(y)
        let width = plane.width
        var found: Float = 0
        sums.withUnsafeMutableBufferPointer { sums in
            for x in 0..<width { sums[x &+ 1] = sums[x] &+ Int32(line[x]) }
            // Ends of the last five runs.
            var ends = (0, 0, 0, 0, 0)
            var wasDark = false
            for x in 0..<width {
                let (left, right) = (max(0, x &- Self.reach), min(width, x &+ Self.reach))
                let isDark = Int32(line[x]) &* Int32(right &- left) < sums[right] &- sums[left]
                guard isDark != wasDark else { continue }
                wasDark = isDark
                if !isDark {
                    found += weight(
                        ends, x, row: y, threshold: UInt8((sums[right] &- sums[left]) / Int32(right &- left)))
                }
                ends = (ends.1, ends.2, ends.3, ends.4, x)
            }
        }
        return found
    }

    /// For five runs that begin at `ends`; the last one ends at `x`.
    private func weight(_ ends: (Int, Int, Int, Int, Int), _ x: Int, row y: Int, threshold: UInt8) -> Float {
        let module = Float(x - ends.0) / 7
        func isNear(_ run: Int, _ modules: Float) -> Bool {
            abs(Float(run) - modules * module) <= module * Self.tolerance * (modules > 1 ? 2 : 1)
        }
        guard module >= leastModule, isNear(ends.1 - ends.0, 1), isNear(ends.2 - ends.1, 1),
            isNear(ends.3 - ends.2, 3), isNear(ends.4 - ends.3, 1), isNear(x - ends.4, 1)
        else { return 0 }
        let column = (ends.2 + ends.3) / 2
        let up = runs(column: column, from: y, by: -1, threshold: threshold, longest: Int(module * 4))
        let down = runs(column: column, from: y + 1, by: 1, threshold: threshold, longest: Int(module * 4))
        guard isNear(up.middle + down.middle, 3), isNear(up.gap, 1), isNear(down.gap, 1), isNear(up.ring, 1),
            isNear(down.ring, 1)
        else { return 0 }
        return min(1 / min(1, module / 2), Float(Self.rowStep) / (3 * module))
    }

    /// Dark, light, dark along a column.
    private func runs(
        column: Int, from start: Int, by step: Int, threshold: UInt8, longest: Int
    ) -> (middle: Int, gap: Int, ring: Int) {
        var y = start
        func run(isDark: Bool) -> Int {
            var length = 0
            while y >= 0, y < plane.height, length <= longest, (plane.row(y)[column] < threshold) == isDark {
                length += 1
                y += step
            }
            return length
        }
        return (run(isDark: true), run(isDark: false), run(isDark: true))
    }
}
