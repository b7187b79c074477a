import Glibc

/// Undoes what a lens that isn't in focus does to a code: Wiener's filter for a Gaussian spread, which is estimated from the picture's own edges. Modules
/// that melt into each other from half a module of spread on are told apart up to 0.65 modules (Benchmarks/README.md, `corpus`).
enum Deblur {
    /// Spreads, in pixels. Below, edges are as sharp as a lens in focus makes them, and there is nothing to undo.
    private static let leastSpread: Float = 1.1
    /// Beyond, a picture of half the size shows as much.
    private static let largeSpread: Float = 4
    /// So small a spread melts modules of two or three pixels: decoders need more.
    private static let smallSpread: Float = 2.2
    private static let mostHalvings = 2

    /// Noise to signal, in one direction: nothing becomes more than three times as strong as it is.
    private static let noise = 0.03
    /// The filter's reach, in spreads.
    private static let reach: Float = 3

    /// `nil` if the edges are sharp, or there are none.
    static func sharpened(_ plane: LumaPlane) -> LumaPlane? {
        var plane = plane
        for halvings in 0...mostHalvings {
            guard let spread = spread(of: plane), spread >= leastSpread else { return nil }
            if spread <= largeSpread {
                let sharp = filtered(plane, by: kernel(spread: spread))
                let isSmall = halvings == 0 && spread < smallSpread
                return isSmall && ReadPass.Treatment.magnification(ofPixels: sharp.pixelCount) != nil
                    ? Lanczos.magnified(sharp, x: 2, y: 2) : sharp
            }
            guard halvings < mostHalvings, min(plane.width, plane.height) / 2 >= LumaPlane.shortestSide else { break }
            plane = plane.reduced(by: 2)
        }
        return nil
    }

    /// How far the lens spreads a point: a Gaussian's standard deviation, in pixels, as the steepest edges between ink and paper show it. `nil`: there is no
    /// light and dark, or a code is but a small part of the picture.
    static func spread(of plane: LumaPlane) -> Float? {
        let (width, height) = (plane.width, plane.height)
        guard width > 4, height > 4 else { return nil }
        var lights = [Int](repeating: 0, count: 256)
        // Noise makes steep edges.
        let smooth = PlaneFilter(of: plane).smoothed()
        var slopes = [Int](repeating: 0, count: slopeSteps + 1)
        for y in 1..<(height - 1) {
            let (above, here, below) = (smooth.row(y - 1), smooth.row(y), smooth.row(y + 1))
            for x in 1..<(width - 1) {
                lights[Int(here[x])] += 1
                let across = Float(Int(here[x + 1]) - Int(here[x - 1])) / 2
                let down = Float(Int(below[x]) - Int(above[x])) / 2
                let slope = (across * across + down * down).squareRoot()
                slopes[min(slopeSteps, Int(slope * slopeStepsPerLevel))] += 1
            }
        }
        let count = (width - 2) * (height - 2)
        let contrast = lights.place(of: count * 97 / 100) - lights.place(of: count * 3 / 100)
        let steepest = (Float(slopes.place(of: count * 995 / 1000)) + 0.5) / slopeStepsPerLevel
        guard contrast >= leastContrast else { return nil }
        let seen = Float(contrast) / (steepest * (2 * Float.pi).squareRoot())
        // Without what the smoothing added.
        return max(0, seen * seen - smoothing).squareRoot()
    }

    /// In levels: less is noise.
    private static let leastContrast = 20
    private static let slopeStepsPerLevel: Float = 8
    private static let slopeSteps = 1024
    /// The variance of weights 1, 2, 1.
    private static let smoothing: Float = 0.5

    /// From the middle outwards; both halves add up to 1.
    private static func kernel(spread: Float) -> [Float] {
        let steps = 256
        let count = Int((reach * spread).rounded(.up)) + 2
        var weights = [Double](repeating: 0, count: count)
        for step in 0..<steps {
            let frequency = Double.pi * (Double(step) + 0.5) / Double(steps)
            let passed = exp(-frequency * frequency * Double(spread) * Double(spread) / 2)
            let gain = passed / (passed * passed + noise)
            for index in weights.indices { weights[index] += gain * cos(frequency * Double(index)) }
        }
        let sum = 2 * weights.reduce(0, +) - weights[0]
        return weights.map { Float($0 / sum) }
    }

    private static func filtered(_ plane: LumaPlane, by kernel: [Float]) -> LumaPlane {
        let (width, height) = (plane.width, plane.height)
        let reach = kernel.count - 1
        let across = UnsafeMutablePointer<Float>.allocate(capacity: width * height)
        let line = UnsafeMutablePointer<Float>.allocate(capacity: width + 2 * reach)
        let sums = UnsafeMutablePointer<Float>.allocate(capacity: width)
        defer {
            across.deallocate()
            line.deallocate()
            sums.deallocate()
        }
        for y in 0..<height {
            let source = plane.row(y)
            for x in 0..<(width + 2 * reach) { line[x] = Float(source[min(max(x - reach, 0), width - 1)]) }
            let target = across + y * width
            for x in 0..<width { target[x] = kernel[0] * line[x + reach] }
            for offset in 1...reach {
                let (weight, left, right) = (kernel[offset], line + reach - offset, line + reach + offset)
                for x in 0..<width { target[x] += weight * (left[x] + right[x]) }
            }
        }
        return LumaPlane(width: width, height: height, map: plane.map) { out in
            for y in 0..<height {
                let middle = across + y * width
                for x in 0..<width { sums[x] = kernel[0] * middle[x] }
                for offset in 1...reach {
                    let weight = kernel[offset]
                    let (above, below) = (
                        across + max(y - offset, 0) * width, across + min(y + offset, height - 1) * width
                    )
                    for x in 0..<width { sums[x] += weight * (above[x] + below[x]) }
                }
                let target = out + y * width
                for x in 0..<width { target[x] = UInt8(max(0, min(255, sums[x] + 0.5))) }
            }
        }
    }
}

extension [Int] {
    /// Where a histogram's sum passes `count`.
    fileprivate func place(of count: Int) -> Int {
        var seen = 0
        for (place, here) in enumerated() {
            seen += here
            if seen > count { return place }
        }
        return self.count - 1
    }
}
