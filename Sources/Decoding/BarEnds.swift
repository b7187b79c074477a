/// Where a linear code begins and ends along a row or column that crosses it, judged by the edges between light and dark: ZBar reports only
/// where its scan lines ended, which may be one end of a code.
struct BarEnds {
    let plane: LumaPlane

    /// Fewer edges can't be a code: the shortest (UPC-E) has 33, and some of them may be blurred away.
    private static let fewestEdges = 16
    /// The smallest step that counts as an edge, as a fraction of the contrast around the starting point.
    private static let edgeContrast = 0.25
    /// With less contrast, in steps of luma, no bars are visible.
    private static let leastContrast = 16
    /// Half this many narrow elements without an edge are a quiet zone. Bars and spaces are at most 4 narrow elements wide (with some leeway
    /// for print), quiet zones 7 or more.
    private static let quietHalves = 13
    /// The same in pixels, until enough bars are known.
    private static let firstQuiet = 48
    /// How many pixels on each side are measured for contrast.
    private static let contrastReach = 64

    /// - Parameters:
    ///   - line: number of the row, or of the column if `isVertical`.
    ///   - known: the range along the line where the code has been seen; may be one pixel at one end of it.
    /// - Returns: the first and last pixel of the bars, and how many edges there are between them; `nil` if there are none.
    func bars(
        onLine line: Int, isVertical: Bool, known: ClosedRange<Int>
    ) -> (range: ClosedRange<Int>, edges: Int)? {
        let count = isVertical ? plane.height : plane.width
        guard line >= 0, line < (isVertical ? plane.width : plane.height), known.lowerBound >= 0,
            known.upperBound < count
        else {
            return nil
        }
        let first = isVertical ? plane.pixels + line : plane.row(line)
        let step = isVertical ? plane.rowStride : 1
        let reach =
            max(0, known.lowerBound - Self.contrastReach)...min(count - 1, known.upperBound + Self.contrastReach)
        var (darkest, lightest) = (255, 0)
        for index in reach {
            darkest = min(darkest, Int(first[index &* step]))
            lightest = max(lightest, Int(first[index &* step]))
        }
        guard lightest - darkest >= Self.leastContrast else { return nil }
        let contrast = max(Self.leastContrast / 2, Int(Double(lightest - darkest) * Self.edgeContrast))
        let start = (known.lowerBound + known.upperBound) / 2
        let back = edges(from: start, by: -1, count: count, contrast: contrast) { Int(first[$0 &* step]) }
        let forth = edges(from: start, by: 1, count: count, contrast: contrast) { Int(first[$0 &* step]) }
        guard back.count + forth.count >= Self.fewestEdges else { return nil }
        return (min(back.last, known.lowerBound)...max(forth.last, known.upperBound), back.count + forth.count)
    }

    /// Edges in one direction up to a quiet zone: how many, and where the last one is (`start` if there is none).
    private func edges(
        from start: Int, by step: Int, count: Int, contrast: Int, sample: (Int) -> Int
    ) -> (count: Int, last: Int) {
        var (low, high) = (sample(start), sample(start))
        var isFalling: Bool?
        var lengths: [Int] = []
        var last = start
        var quiet = Self.firstQuiet
        var index = start + step
        while index >= 0, index < count, abs(index - last) <= quiet {
            let value = sample(index)
            low = min(low, value)
            high = max(high, value)
            let turnsDown = isFalling != true && high - value >= contrast
            let turnsUp = isFalling != false && value - low >= contrast
            if turnsDown || turnsUp {
                isFalling = turnsDown
                (low, high) = (value, value)
                lengths.append(abs(index - last))
                last = index
                if lengths.count % 6 == 0 {
                    // The narrow element: the first quartile of the lengths so far.
                    quiet = max(6, lengths.sorted()[lengths.count / 4] * Self.quietHalves / 2)
                }
            }
            index += step
        }
        return (lengths.count, last)
    }
}
