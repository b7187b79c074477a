import CLocator
import Glibc
import ReaderProtocol
import Vocabulary

/// Luma samples that a pass may read as often as it likes: rows without padding, and the map back to the picture's pixels. Either borrowed
/// from a view (and valid while the view is), or owned.
final class LumaPlane {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int
    /// Bytes from one row to the next.
    let rowStride: Int
    /// Maps this plane's pixels to the picture's.
    let map: PlaneMap
    private let owned: UnsafeMutablePointer<UInt8>?

    /// A smaller copy can't hold a code.
    static let shortestSide = 16

    /// Borrows `view`.
    init(borrowing view: LumaView) {
        pixels = view.base.assumingMemoryBound(to: UInt8.self)
        width = view.size.width
        height = view.size.height
        rowStride = view.rowStride
        map = .identity
        owned = nil
    }

    /// Owned, without padding; `fill` writes all of its samples.
    init(width: Int, height: Int, map: PlaneMap, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(width * height, 1))
        fill(memory)
        self.width = width
        self.height = height
        self.map = map
        rowStride = width
        owned = memory
        pixels = UnsafePointer(memory)
    }

    deinit { owned?.deallocate() }

    var size: FrameSize { FrameSize(width: width, height: height) }
    var pixelCount: Int { width * height }
    var isContiguous: Bool { rowStride == width }
    /// In pixels of the picture.
    var middle: Point { map(Double(width) / 2, Double(height) / 2) }

    func row(_ y: Int) -> UnsafePointer<UInt8> { pixels + y * rowStride }

    /// The same samples without padding between rows.
    func contiguous() -> LumaPlane {
        if isContiguous { return self }
        return LumaPlane(width: width, height: height, map: map) { out in
            for y in 0..<height { (out + y * width).update(from: row(y), count: width) }
        }
    }

    /// A hash of every sample (multiply and rotate over words of eight), equal on every machine for equal pictures.
    func contentHash() -> UInt64 {
        let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
        var hash = UInt64(width) &* prime ^ UInt64(height)
        for y in 0..<height {
            let line = UnsafeRawPointer(row(y))
            var x = 0
            while x &+ 8 <= width {
                let word = UInt64(littleEndian: line.loadUnaligned(fromByteOffset: x, as: UInt64.self))
                hash = (hash ^ word) &* prime
                hash ^= hash >> 29
                x &+= 8
            }
            while x < width {
                hash = (hash ^ UInt64(line.load(fromByteOffset: x, as: UInt8.self))) &* prime
                x &+= 1
            }
        }
        return hash
    }

    /// Bilinear samples along a line; beyond an edge, its samples are repeated. `x`, `y`: the first place, pixel centres lie at .5; it and the
    /// last one lie within 32767 pixels.
    func sample(x: Float, y: Float, stepX: Float, stepY: Float, into samples: UnsafeMutableBufferPointer<Int16>) {
        func fixed(_ value: Float) -> Int32 { Int32((value * 65536).rounded()) }
        var walk = CLocator_Walk(x: fixed(x), y: fixed(y), step_x: fixed(stepX), step_y: fixed(stepY))
        CLocator_line(
            pixels, Int32(width), Int32(height), rowStride, &walk, samples.baseAddress, Int32(samples.count))
    }

    /// `count` such samples.
    func line(x: Float, y: Float, stepX: Float, stepY: Float, count: Int) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: count) { memory, used in
            sample(
                x: x, y: y, stepX: stepX, stepY: stepY,
                into: UnsafeMutableBufferPointer(rebasing: memory[0..<count]))
            used = count
        }
    }
}

/// Copies that show the same picture smaller, larger, turned, or a part of it.
extension LumaPlane {
    /// Each square of `factor` pixels becomes their mean.
    func reduced(by factor: Int) -> LumaPlane {
        let newWidth = width / factor
        let newHeight = height / factor
        let scale = Double(factor)
        return LumaPlane(width: newWidth, height: newHeight, map: map.after(.scaled(scale, scale))) { out in
            let area = factor * factor
            for y in 0..<newHeight {
                if factor == 2 {
                    halve(row(2 &* y), row(2 &* y &+ 1), into: out + y &* newWidth, count: newWidth)
                    continue
                }
                for x in 0..<newWidth {
                    var sum = area / 2
                    for dy in 0..<factor {
                        let source = row(y &* factor &+ dy) + x &* factor
                        for dx in 0..<factor { sum &+= Int(source[dx]) }
                    }
                    out[y &* newWidth &+ x] = UInt8(truncatingIfNeeded: sum / area)
                }
            }
        }
    }

    /// The most common reduction, in a form that the compiler turns into vector code.
    @inline(__always)
    private func halve(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        for x in 0..<count {
            let sum =
                UInt16(upper[2 &* x]) &+ UInt16(upper[2 &* x &+ 1]) &+ UInt16(lower[2 &* x])
                &+ UInt16(lower[2 &* x &+ 1]) &+ 2
            target[x] = UInt8(truncatingIfNeeded: sum >> 2)
        }
    }

    /// Bilinear; both factors 1 or more.
    func enlarged(x factorX: Double, y factorY: Double) -> LumaPlane {
        let inner = PlaneMap.scaled(1 / factorX, 1 / factorY)
        return warped(inner, width: Int(Double(width) * factorX), height: Int(Double(height) * factorY))
    }

    /// Turned about its centre, on a plane that holds all of it; white beyond the edges.
    func rotated(degrees: Int) -> LumaPlane {
        let angle = Double(degrees) * Double.pi / 180
        let (c, s) = (cos(angle), sin(angle))
        let (w, h) = (Double(width), Double(height))
        let newWidth = (abs(w * c) + abs(h * s)).rounded(.up)
        let newHeight = (abs(w * s) + abs(h * c)).rounded(.up)
        let inner = PlaneMap(
            xx: c, xy: s, x0: w / 2 - c * newWidth / 2 - s * newHeight / 2, yx: -s, yy: c,
            y0: h / 2 + s * newWidth / 2 - c * newHeight / 2)
        return warped(inner, width: Int(newWidth), height: Int(newHeight))
    }

    /// The part that begins at `x`, `y`; shares no memory with this plane.
    func cropped(x: Int, y: Int, width newWidth: Int, height newHeight: Int) -> LumaPlane {
        LumaPlane(width: newWidth, height: newHeight, map: map.after(.moved(Double(x), Double(y)))) { out in
            for line in 0..<newHeight { (out + line * newWidth).update(from: row(y + line) + x, count: newWidth) }
        }
    }

    /// Bilinear samples of this plane at `inner` of each pixel, in 16.16 fixed point; white outside.
    func warped(_ inner: PlaneMap, width newWidth: Int, height newHeight: Int) -> LumaPlane {
        LumaPlane(width: newWidth, height: newHeight, map: map.after(inner)) { out in
            let stepX = Int((inner.xx * 65536).rounded())
            let stepY = Int((inner.yx * 65536).rounded())
            for y in 0..<newHeight {
                let start = inner(0.5, Double(y) + 0.5)
                var sourceX = Int(((start.x - 0.5) * 65536).rounded())
                var sourceY = Int(((start.y - 0.5) * 65536).rounded())
                let target = out + y &* newWidth
                let inside = span(sourceX, stepX, below: (width - 1) << 16, count: newWidth)
                    .clamped(to: span(sourceY, stepY, below: (height - 1) << 16, count: newWidth))
                for x in 0..<newWidth {
                    target[x] =
                        inside.contains(x) ? innerSample(sourceX, sourceY) : edgeSample(sourceX, sourceY)
                    sourceX &+= stepX
                    sourceY &+= stepY
                }
            }
        }
    }

    /// The steps at which a coordinate that starts at `start` lies in 0..<`below`.
    private func span(_ start: Int, _ step: Int, below: Int, count: Int) -> Range<Int> {
        guard below > 0 else { return 0..<0 }
        guard step != 0 else { return start >= 0 && start < below ? 0..<count : 0..<0 }
        // Where the line enters and leaves, one step inside each to be safe from rounding.
        let a = -start / step
        let b = (below - start) / step
        let first = min(max(min(a, b) + 1, 0), count)
        let last = min(max(max(a, b) - 1, first), count)
        return first..<last
    }

    /// All four neighbours exist.
    @inline(__always)
    private func innerSample(_ fixedX: Int, _ fixedY: Int) -> UInt8 {
        let upper = pixels + ((fixedY >> 16) &* rowStride &+ (fixedX >> 16))
        let lower = upper + rowStride
        let fx = (fixedX >> 8) & 0xff
        let fy = (fixedY >> 8) & 0xff
        let above = Int(upper[0]) &* (256 &- fx) &+ Int(upper[1]) &* fx
        let below = Int(lower[0]) &* (256 &- fx) &+ Int(lower[1]) &* fx
        return UInt8(truncatingIfNeeded: (above &* (256 &- fy) &+ below &* fy &+ 32768) >> 16)
    }

    /// Beyond an edge, its samples are repeated for one pixel; then everything is white.
    private func edgeSample(_ fixedX: Int, _ fixedY: Int) -> UInt8 {
        let x = fixedX >> 16
        let y = fixedY >> 16
        guard x >= -1, y >= -1, x < width, y < height else { return 255 }
        let left = x < 0 ? 0 : x
        let right = x &+ 1 < width ? x &+ 1 : width &- 1
        let upper = row(y < 0 ? 0 : y)
        let lower = row(y &+ 1 < height ? y &+ 1 : height &- 1)
        let fx = (fixedX >> 8) & 0xff
        let fy = (fixedY >> 8) & 0xff
        let above = Int(upper[left]) &* (256 &- fx) &+ Int(upper[right]) &* fx
        let below = Int(lower[left]) &* (256 &- fx) &+ Int(lower[right]) &* fx
        return UInt8(truncatingIfNeeded: (above &* (256 &- fy) &+ below &* fy &+ 32768) >> 16)
    }
}

/// For pictures that show too little contrast for the locator.
extension LumaPlane {
    /// With a wider range of levels, a picture has contrast enough; with a narrower one, it shows nothing but noise.
    private static let stretchable = 8...110

    /// A copy in which the 5th percentile becomes 20 and the 95th 220; unchanged if the contrast isn't `stretchable`.
    func stretched() -> LumaPlane {
        var samples: [Int16] = []
        for y in stride(from: 0, to: height, by: 4) {
            let line = row(y)
            for x in stride(from: y / 4 % 4, to: width, by: 4) { samples.append(Int16(line[x])) }
        }
        let levels = LightFigures(samples)
        guard Self.stretchable.contains(levels.contrast) else { return self }
        let (dark, contrast) = (levels.dark, levels.contrast)
        let table = (0...255).map { UInt8(min(max(($0 - dark) * 200 / contrast + 20, 0), 255)) }
        return LumaPlane(width: width, height: height, map: map) { out in
            for y in 0..<height {
                let line = row(y)
                for x in 0..<width { out[y * width + x] = table[Int(line[x])] }
            }
        }
    }
}
