import Glibc

/// Enlarged by whole factors with Lanczos' kernel of eight samples. Between modules of one or two pixels it keeps the contrast that straight
/// lines from pixel to pixel lose: of small codes that a decoder makes nothing of, it reads two to four times as many on such a copy
/// (Benchmarks/README.md, `corpus`).
enum Lanczos {
    /// Samples that one output sample is made of: this many before and after it.
    private static let reach = 4
    private static let taps = 2 * reach

    /// The weights of the samples from `first` on, relative to the source pixel, for one place between two pixels.
    private struct Phase {
        let first: Int
        let weights: [Float]

        /// The `index`-th of `factor` pixels that replace one.
        init(_ index: Int, of factor: Int) {
            let place = (Double(index) + 0.5) / Double(factor) - 0.5
            let base = place.rounded(.down)
            first = Int(base) - Lanczos.reach + 1
            let fraction = place - base
            let raw = (0..<Lanczos.taps).map { tap -> Double in
                let offset = Double(tap - Lanczos.reach + 1)
                return Self.kernel(fraction - offset)
            }
            let sum = raw.reduce(0, +)
            weights = raw.map { Float($0 / sum) }
        }

        private static func kernel(_ x: Double) -> Double {
            guard abs(x) > 1e-9 else { return 1 }
            let reach = Double(Lanczos.reach)
            let a = Double.pi * x
            return reach * sin(a) * sin(a / reach) / (a * a)
        }
    }

    /// - Parameters:
    ///   - factorX: 1 or more, like `factorY`; the caller bounds the result's size.
    static func magnified(_ plane: LumaPlane, x factorX: Int, y factorY: Int) -> LumaPlane {
        let (width, height) = (plane.width, plane.height)
        let (newWidth, newHeight) = (width * factorX, height * factorY)
        let across = (0..<factorX).map { Phase($0, of: factorX) }
        let down = (0..<factorY).map { Phase($0, of: factorY) }
        let scale = PlaneMap.scaled(1 / Double(factorX), 1 / Double(factorY))
        return LumaPlane(width: newWidth, height: newHeight, map: plane.map.after(scale)) { out in
            guard width > 0, height > 0 else { return }
            let padding = reach
            let line = UnsafeMutablePointer<Float>.allocate(capacity: width + 2 * padding)
            let phase = UnsafeMutablePointer<UInt8>.allocate(capacity: width)
            defer {
                line.deallocate()
                phase.deallocate()
            }
            for y in 0..<newHeight {
                let middle = line + padding
                mixRows(of: plane, around: y / factorY, by: down[y % factorY], into: middle)
                for x in 1...padding {
                    middle[-x] = middle[0]
                    middle[width - 1 + x] = middle[width - 1]
                }
                let target = out + y &* newWidth
                for (offset, own) in across.enumerated() {
                    mixColumns(of: middle, count: width, by: own, into: phase)
                    for x in 0..<width { target[x &* factorX &+ offset] = phase[x] }
                }
            }
        }
    }

    /// A line between rows.
    private static func mixRows(
        of plane: LumaPlane, around row: Int, by phase: Phase, into line: UnsafeMutablePointer<Float>
    ) {
        let (width, height) = (plane.width, plane.height)
        // A place on a pixel's own middle.
        if let only = phase.weights.firstIndex(of: 1) {
            let source = plane.row(min(max(row + phase.first + only, 0), height - 1))
            for x in 0..<width { line[x] = Float(source[x]) }
            return
        }
        for x in 0..<width { line[x] = 0 }
        for (index, weight) in phase.weights.enumerated() {
            let source = plane.row(min(max(row + phase.first + index, 0), height - 1))
            for x in 0..<width { line[x] += weight * Float(source[x]) }
        }
    }

    /// One of the columns that replace each.
    private static func mixColumns(
        of line: UnsafePointer<Float>, count: Int, by phase: Phase, into target: UnsafeMutablePointer<UInt8>
    ) {
        let source = line + phase.first
        let w = phase.weights
        let (w0, w1, w2, w3, w4, w5, w6, w7) = (w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7])
        for x in 0..<count {
            let samples = source + x
            var near = samples[2] * w2
            near += samples[3] * w3
            near += samples[4] * w4
            near += samples[5] * w5
            var far = samples[0] * w0
            far += samples[1] * w1
            far += samples[6] * w6
            far += samples[7] * w7
            let value = near + far + 0.5
            target[x] = UInt8(truncatingIfNeeded: Int32(value < 0 ? 0 : value > 255 ? 255 : value))
        }
    }
}
