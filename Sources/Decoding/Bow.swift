/// Straightens what a cylinder bends: seen from above or below, the rows of a code on a can are parabolas. Decoders of matrix codes allow for
/// perspective, not for that.
enum Bow {
    /// Each column moves by the square of its distance from the middle column; the middle stays.
    ///
    /// The copy's map doesn't know about it: corners are off by up to the bow, the centre isn't.
    ///
    /// - Parameter percent: how far the outermost columns move down, in hundredths of half the height; negative: up.
    static func down(_ plane: LumaPlane, percent: Int) -> LumaPlane {
        let (width, height) = (plane.width, plane.height)
        let shifts = shifts(count: width, most: Double(percent) / 100 * Double(height) / 2)
        return LumaPlane(width: width, height: height, map: plane.map) { out in
            for x in 0..<width {
                let (whole, rest) = shifts[x]
                for y in 0..<height {
                    let upper = plane.row(min(max(y &+ whole, 0), height &- 1))[x]
                    let lower = plane.row(min(max(y &+ whole &+ 1, 0), height &- 1))[x]
                    out[y &* width &+ x] = between(upper, lower, rest)
                }
            }
        }
    }

    /// The same for rows: the outermost ones move to the right.
    static func across(_ plane: LumaPlane, percent: Int) -> LumaPlane {
        let (width, height) = (plane.width, plane.height)
        let shifts = shifts(count: height, most: Double(percent) / 100 * Double(width) / 2)
        return LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height {
                let (whole, rest) = shifts[y]
                let source = plane.row(y)
                for x in 0..<width {
                    let left = source[min(max(x &+ whole, 0), width &- 1)]
                    let right = source[min(max(x &+ whole &+ 1, 0), width &- 1)]
                    out[y &* width &+ x] = between(left, right, rest)
                }
            }
        }
    }

    /// How far on each line's samples are taken: whole pixels, and 256ths of one.
    private static func shifts(count: Int, most: Double) -> [(whole: Int, rest: Int)] {
        (0..<count).map { line in
            let place = (Double(line) + 0.5) / (Double(count) / 2) - 1
            let shift = Int((-most * place * place * 256).rounded())
            return (shift >> 8, shift & 0xff)
        }
    }

    @inline(__always)
    private static func between(_ a: UInt8, _ b: UInt8, _ rest: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int(a) &* (256 &- rest) &+ Int(b) &* rest &+ 128) >> 8)
    }
}
