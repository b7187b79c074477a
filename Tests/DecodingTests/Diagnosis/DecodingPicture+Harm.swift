import Glibc
import ReaderProtocol
import Vocabulary

@testable import Decoding

/// What happens to codes before a camera.
extension DecodingPicture {
    /// A lens out of focus: averages over squares of 2 × `radius` + 1 pixels, three times.
    mutating func blur(radius: Int) {
        for isVertical in [false, true] {
            for _ in 0..<3 {
                let sharp = pixels
                for y in 0..<height {
                    for x in 0..<width {
                        var (sum, count) = (0, 0)
                        for off in -radius...radius {
                            let (column, row) = isVertical ? (x, y + off) : (x + off, y)
                            guard column >= 0, row >= 0, column < width, row < height else { continue }
                            sum += Int(sharp[row * rowStride + column])
                            count += 1
                        }
                        pixels[y * rowStride + x] = UInt8(sum / count)
                    }
                }
            }
        }
    }

    /// Brings all levels into a range.
    mutating func light(from dark: Int, to light: Int) {
        for index in pixels.indices { pixels[index] = UInt8(dark + Int(pixels[index]) * (light - dark) / 255) }
    }

    /// A reflection: white within a half of the radii, less and less up to them.
    mutating func reflect(x centreX: Double, y centreY: Double, width radiusX: Double, height radiusY: Double) {
        for y in 0..<height {
            for x in 0..<width {
                let (dx, dy) = ((Double(x) - centreX) / radiusX, (Double(y) - centreY) / radiusY)
                let distance = (dx * dx + dy * dy).squareRoot()
                let extra = 255 * min(max(2 - 2 * distance, 0), 1)
                let index = y * rowStride + x
                pixels[index] = UInt8(min(255, Double(pixels[index]) + extra))
            }
        }
    }

    /// Lines of small strokes, like print.
    mutating func addPrint(x left: Int, y top: Int, width: Int, height: Int) {
        var state: UInt64 = 7
        for y in stride(from: top, to: top + height - 10, by: 18) {
            var x = left
            while x < left + width - 8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let kind = Int(state >> 60)
                if kind > 2 { fill(x: x, y: y, width: 2, height: 10, 40) }
                if kind % 3 == 0 { fill(x: x, y: y + kind % 8, width: 7, height: 2, 40) }
                if kind % 2 == 0 { fill(x: x + 5, y: y + kind % 5, width: 2, height: 5, 40) }
                x += kind == 0 ? 6 : 9
            }
        }
    }

    func unread(by engine: DecodeEngine, besides symbols: [Symbol] = []) -> [UnreadCode] {
        pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            let view = LumaView(base: base, size: FrameSize(width: width, height: height), rowStride: rowStride)
            return engine.unreadCodes(of: view, besides: symbols)
        }
    }
}
