/// Copies of a plane with other grey levels, of the same size.
struct PlaneFilter {
    private let plane: LumaPlane

    init(of plane: LumaPlane) { self.plane = plane }

    private var width: Int { plane.width }
    private var height: Int { plane.height }

    /// Light becomes dark.
    func inverted() -> LumaPlane {
        LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height {
                let source = plane.row(y)
                let target = out + y &* width
                for x in 0..<width { target[x] = 255 &- source[x] }
            }
        }
    }

    /// A box of `2 * radius + 1` pixels over rows and columns, twice: close to a Gaussian of that size.
    func blurred(radius: Int) -> LumaPlane {
        LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height { (out + y * width).update(from: plane.row(y), count: width) }
            let line = UnsafeMutablePointer<UInt8>.allocate(capacity: max(width, 1))
            let sums = UnsafeMutablePointer<Int32>.allocate(capacity: max(width, 1))
            let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(width * height, 1))
            defer {
                line.deallocate()
                sums.deallocate()
                copy.deallocate()
            }
            for _ in 0..<2 {
                for y in 0..<height { boxRow(out + y * width, line: line, radius: radius) }
                copy.update(from: out, count: width * height)
                boxColumns(from: copy, to: out, sums: sums, radius: radius)
            }
        }
    }

    private func boxRow(_ row: UnsafeMutablePointer<UInt8>, line: UnsafeMutablePointer<UInt8>, radius: Int) {
        line.update(from: row, count: width)
        let size = 2 * radius + 1
        let reciprocal = (65536 + size - 1) / size
        var sum = 0
        for offset in -radius...radius { sum += Int(line[clampedX(offset)]) }
        for x in 0..<width {
            row[x] = UInt8(truncatingIfNeeded: (sum &* reciprocal) >> 16)
            sum &+= Int(line[clampedX(x &+ radius &+ 1)]) &- Int(line[clampedX(x &- radius)])
        }
    }

    private func boxColumns(
        from source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, sums: UnsafeMutablePointer<Int32>,
        radius: Int
    ) {
        let size = 2 * radius + 1
        let reciprocal = Int32((65536 + size - 1) / size)
        for x in 0..<width { sums[x] = 0 }
        for offset in -radius...radius {
            let line = source + clampedY(offset) &* width
            for x in 0..<width { sums[x] &+= Int32(line[x]) }
        }
        for y in 0..<height {
            let entering = source + clampedY(y &+ radius &+ 1) &* width
            let leaving = source + clampedY(y &- radius) &* width
            let line = target + y &* width
            for x in 0..<width {
                line[x] = UInt8(truncatingIfNeeded: (sums[x] &* reciprocal) >> 16)
                sums[x] &+= Int32(entering[x]) &- Int32(leaving[x])
            }
        }
    }

    @inline(__always) private func clampedX(_ x: Int) -> Int { x < 0 ? 0 : x < width ? x : width &- 1 }
    @inline(__always) private func clampedY(_ y: Int) -> Int { y < 0 ? 0 : y < height ? y : height &- 1 }

    /// Weights 1, 2, 1 in both directions: against noise.
    func smoothed() -> LumaPlane {
        LumaPlane(width: width, height: height, map: plane.map) { out in
            let sums = UnsafeMutablePointer<UInt16>.allocate(capacity: max(width, 1))
            defer { sums.deallocate() }
            for y in 0..<height {
                let (above, here, below) = (plane.row(clampedY(y - 1)), plane.row(y), plane.row(clampedY(y + 1)))
                for x in 0..<width { sums[x] = UInt16(above[x]) &+ 2 &* UInt16(here[x]) &+ UInt16(below[x]) }
                let target = out + y &* width
                for x in 0..<width {
                    let sum = sums[clampedX(x &- 1)] &+ 2 &* sums[x] &+ sums[clampedX(x &+ 1)]
                    target[x] = UInt8(truncatingIfNeeded: (sum &+ 8) >> 4)
                }
            }
        }
    }

    /// Unsharp mask: adds `amount` times the difference from the blurred picture.
    func sharpened(radius: Int, amount: Int) -> LumaPlane {
        let soft = blurred(radius: radius)
        return LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height {
                let source = plane.row(y)
                let mean = soft.row(y)
                let target = out + y &* width
                for x in 0..<width {
                    let value = Int32(source[x])
                    let raised = value &+ Int32(amount) &* (value &- Int32(mean[x]))
                    target[x] = UInt8(truncatingIfNeeded: raised < 0 ? 0 : raised > 255 ? 255 : raised)
                }
            }
        }
    }

    /// Makes local contrast even: the difference from the neighbourhood's mean, in units of its mean deviation. Where that is below a camera's
    /// noise (6 of 255), noise isn't raised further.
    func normalised(radius: Int) -> LumaPlane {
        let mean = blurred(radius: radius)
        let distance = LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height {
                let source = plane.row(y)
                let middle = mean.row(y)
                let target = out + y &* width
                for x in 0..<width {
                    target[x] = source[x] > middle[x] ? source[x] &- middle[x] : middle[x] &- source[x]
                }
            }
        }
        let spread = PlaneFilter(of: distance).blurred(radius: radius)
        // 64 levels per mean deviation, from a table of reciprocals.
        let gain = (0...255).map { Int32(64 * 256 / max($0, 6)) }
        return LumaPlane(width: width, height: height, map: plane.map) { out in
            gain.withUnsafeBufferPointer { gain in
                for y in 0..<height {
                    let source = plane.row(y)
                    let middle = mean.row(y)
                    let deviation = spread.row(y)
                    let target = out + y &* width
                    for x in 0..<width {
                        let difference = Int32(source[x]) &- Int32(middle[x])
                        let value = 128 &+ (difference &* gain[Int(deviation[x])]) >> 8
                        target[x] = UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
                    }
                }
            }
        }
    }

    /// Closes bright gaps of up to `radius` pixels (bright dots of a marking grow together).
    func closed(radius: Int) -> LumaPlane {
        PlaneFilter(of: ranked(radius: radius, takesMaximum: true)).ranked(radius: radius, takesMaximum: false)
    }

    private func ranked(radius: Int, takesMaximum: Bool) -> LumaPlane {
        let across = LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height {
                let source = plane.row(y)
                let target = out + y &* width
                for x in 0..<width {
                    var value = source[x]
                    for offset in -radius...radius {
                        let other = source[clampedX(x &+ offset)]
                        value = takesMaximum ? max(value, other) : min(value, other)
                    }
                    target[x] = value
                }
            }
        }
        return LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height {
                let target = out + y &* width
                target.update(from: across.row(y), count: width)
                for offset in -radius...radius where offset != 0 {
                    let source = across.row(clampedY(y &+ offset))
                    for x in 0..<width {
                        target[x] = takesMaximum ? max(target[x], source[x]) : min(target[x], source[x])
                    }
                }
            }
        }
    }
}
