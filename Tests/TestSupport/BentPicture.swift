import Glibc

/// A picture of modules on a sheet that may be bent, turned or seen at an angle.
package struct BentPicture: Sendable {
    package let width: Int
    package let height: Int
    /// Luma, row by row, without padding.
    package private(set) var pixels: [UInt8]

    /// - Parameters:
    ///   - modules: of a symbol, row by row; `true` is dark.
    ///   - columns: how many a row has.
    ///   - place: which place of the symbol, in modules from its top left corner, a place of the picture shows, in pixels.
    package init(
        of modules: [Bool], columns: Int, width: Int, height: Int, ink: Double = 40, paper: Double = 210,
        at place: (Double, Double) -> (Double, Double)
    ) {
        let rows = modules.count / columns
        (self.width, self.height) = (width, height)
        // Four places a pixel, as a lens would blur them.
        pixels = (0..<width * height).map { index in
            var sum = 0.0
            for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
                let (u, v) = place(Double(index % width) + dx, Double(index / width) + dy)
                let isInside = u >= 0 && v >= 0 && u < Double(columns) && v < Double(rows)
                sum += isInside && modules[Int(v) * columns + Int(u)] ? ink : paper
            }
            return UInt8(sum / 4)
        }
    }

    /// Light that swallows everything near a line.
    /// - Parameters:
    ///   - width: to each side, in pixels.
    ///   - distance: from a place of the picture to the line, in pixels.
    package mutating func glare(width: Double, distance: (Double, Double) -> Double) {
        for index in pixels.indices {
            let near = abs(distance(Double(index % self.width), Double(index / self.width)))
            if near < width { pixels[index] = UInt8(min(255, Double(pixels[index]) + 230 * (1 - near / width))) }
        }
    }

    /// Blur of a lens that isn't in focus.
    /// - Parameter spread: a Gaussian's standard deviation, in pixels.
    package mutating func blur(spread: Double) {
        guard spread > 0 else { return }
        let reach = Int((4 * spread).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * spread * spread)) }
        let sum = weights.reduce(0, +)
        func mixed(_ source: [Double], step: Int, count: Int, of place: (Int) -> Int) -> [Double] {
            source.indices.map { index in
                let here = place(index)
                var mean = 0.0
                for (number, weight) in weights.enumerated() {
                    // What lies beyond the edge is as bright as the edge.
                    let other = min(max(here + number - reach, 0), count - 1)
                    mean += weight * source[index + (other - here) * step]
                }
                return mean / sum
            }
        }
        let across = mixed(pixels.map(Double.init), step: 1, count: width) { $0 % width }
        pixels = mixed(across, step: width, count: height) { $0 / width }.map { UInt8($0.rounded()) }
    }

    /// Up to `levels` more or less at each pixel.
    package mutating func addNoise(levels: Int, using random: inout some RandomNumberGenerator) {
        for index in pixels.indices {
            pixels[index] = UInt8(clamping: Int(pixels[index]) + Int.random(in: -levels...levels, using: &random))
        }
    }
}
