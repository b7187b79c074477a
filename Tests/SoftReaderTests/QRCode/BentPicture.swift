import SoftReader
import Vocabulary

/// A picture of a drawn symbol on a sheet that may be bent.
struct BentPicture {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]

    /// - Parameters:
    ///   - modules: which module a place of the picture, in pixels, shows: the symbol begins at (0, 0).
    init(
        of symbol: DrawnSymbol, width: Int, height: Int, ink: Double = 40, paper: Double = 210,
        modules: (Double, Double) -> (Double, Double)
    ) {
        (self.width, self.height) = (width, height)
        let side = symbol.layout.side
        // Four places a pixel, as a lens would blur them.
        pixels = (0..<width * height).map { index in
            var sum = 0.0
            for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                let (u, v) = modules(Double(index % width) + dx, Double(index / width) + dy)
                let (column, row) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
                let isInside = (0..<side).contains(column) && (0..<side).contains(row)
                sum += isInside && symbol.modules[row * side + column] ? ink : paper
            }
            return UInt8(sum / 4)
        }
    }

    /// Light that swallows everything near a line: `distance` from a place of the picture to it, in pixels.
    mutating func glare(width: Double, distance: (Double, Double) -> Double) {
        for index in pixels.indices {
            let near = abs(distance(Double(index % self.width), Double(index / self.width)))
            if near < width { pixels[index] = UInt8(min(255, Double(pixels[index]) + 230 * (1 - near / width))) }
        }
    }

    /// Up to `levels` more or less at each pixel.
    mutating func addNoise(levels: Int, using random: inout SplitMix64) {
        for index in pixels.indices {
            pixels[index] = UInt8(clamping: Int(pixels[index]) + Int.random(in: -levels...levels, using: &random))
        }
    }

    func read() -> [QRCodeReading] {
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return [] }
            return QRCodeReader().read(LumaSamples(pixels: start, width: width, height: height, rowStride: width))
        }
    }
}
