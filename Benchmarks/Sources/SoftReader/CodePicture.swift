import Foundation
import SoftReader
import Vocabulary

/// A picture of a code as a camera would see it: drawn in light, blurred by a lens, averaged over each pixel's area, made to luma, with noise.
struct CodePicture {
    struct Conditions {
        /// Pixels a module.
        var module = 2.0
        /// Blur as a standard deviation, in modules.
        var blur = 0.3
        /// Standard deviation of the noise, in steps of luma.
        var noise = 4.0
        /// Modules that bars are too wide.
        var ink = 0.0
        /// Degrees.
        var tilt = 0.0
        /// Modules that the middle is off to one side, and that the quarters are off outwards: perspective and cylinder.
        var perspective = 0.0
        var cylinder = 0.0
        /// How much longer the code is at its lower edge than at its upper one, as a part.
        var fan = 0.0
        /// Luma of paper and ink.
        var paper = 200.0
        var inkLuma = 45.0
        /// How much light one end has against the other.
        var shade = 0.0
        /// Length of the bars, in modules.
        var barLength = 45.0
        /// Parts of the code that are cut off: from where to where it is printed.
        var printed = 0.0...1.0
        /// Modules of paper beside it.
        var quiet = 11.0
    }

    private(set) var width: Int
    let height: Int
    private(set) var pixels: [UInt8]
    /// Where the code is.
    private(set) var line: CodeLine
    let moduleCount: Int
    static let gamma = 2.2

    /// With everything that isn't asked for drawn at random, as it may be in a hand.
    static func conditions(module: Double, blur: Double, noise: Double = 4, by random: inout SplitMix) -> Conditions {
        var out = Conditions()
        out.module = module
        out.blur = blur
        out.noise = noise
        out.ink = Double.random(in: -0.15...0.25, using: &random)
        out.tilt = Double.random(in: -4...4, using: &random)
        out.perspective = Double.random(in: -0.6...0.6, using: &random)
        out.cylinder = Double.random(in: 0...0.6, using: &random)
        out.fan = Double.random(in: -0.03...0.03, using: &random)
        out.paper = Double.random(in: 150...235, using: &random)
        out.inkLuma = Double.random(in: 25...60, using: &random)
        out.shade = Double.random(in: -0.25...0.25, using: &random)
        return out
    }

    init(_ code: any DrawnLinearCode, _ c: Conditions, by random: inout SplitMix) {
        self.init(modules: code.modules, c, by: &random, perModule: code.entriesPerModule)
    }

    /// - Parameter modules: 1 is a bar.
    init(modules: [UInt8], _ c: Conditions, by random: inout SplitMix, perModule: Int = 1) {
        let scale = 1 / Double(perModule)
        let count = Double(modules.count) * scale
        moduleCount = Int(count)
        let length = count * c.module
        let (cosine, sine) = (cos(c.tilt * .pi / 180), sin(c.tilt * .pi / 180))
        let (wide, high) = (length + 2 * (c.quiet + 4) * c.module, (c.barLength + 8) * c.module)
        width = Int(wide * cosine + high * abs(sine)) + 2
        height = Int(high * cosine + wide * abs(sine)) + 2
        let centre = (
            x: Double(width) / 2 + .random(in: -0.5...0.5, using: &random),
            y: Double(height) / 2 + .random(in: -0.5...0.5, using: &random)
        )
        // Darkness along the modules, blurred.
        let density = 16.0
        let lead = c.quiet + 12
        let tableCount = Int((count + 2 * lead) * density) + 2
        var bars: [(from: Double, to: Double)] = []
        var index = 0
        while index < modules.count {
            guard modules[index] == 1 else {
                index += 1
                continue
            }
            let start = index
            while index < modules.count, modules[index] == 1 { index += 1 }
            let (from, to) = (
                max(Double(start) * scale, c.printed.lowerBound * count),
                min(Double(index) * scale, c.printed.upperBound * count)
            )
            if from < to { bars.append((from - c.ink / 2, to + c.ink / 2)) }
        }
        let slope = 1 / (max(c.blur, 0.01) * 2.0.squareRoot())
        var table = [Float](repeating: 0, count: tableCount)
        for (from, to) in bars {
            let first = max(0, Int((from + lead - 5 * c.blur) * density))
            let last = min(tableCount - 1, Int((to + lead + 5 * c.blur) * density) + 1)
            for place in first...max(first, last) {
                let module = Double(place) / density - lead
                table[place] += Float(0.5 * (erf((module - from) * slope) - erf((module - to) * slope)))
            }
        }
        let (paper, ink) = (Float(pow(c.paper / 255, Self.gamma)), Float(pow(c.inkLuma / 255, Self.gamma)))
        let sub = 4
        var pixels = [UInt8](repeating: 0, count: width * height)
        let half = Float(length / 2)
        let barHalf = Float(c.barLength * c.module / 2)
        for y in 0..<height {
            for x in 0..<width {
                var light: Float = 0
                for subY in 0..<sub {
                    for subX in 0..<sub {
                        let dx = Double(x) + (Double(subX) + 0.5) / Double(sub) - centre.x
                        let dy = Double(y) + (Double(subY) + 0.5) / Double(sub) - centre.y
                        let (along, across) = (Float(dx * cosine + dy * sine), Float(dy * cosine - dx * sine))
                        let place = along / half * (1 - Float(c.fan) * across / (2 * barHalf))
                        // A parabola that is 0 at the ends, and a cubic.
                        let bent =
                            Float(c.perspective) * (1 - place * place)
                            + Float(c.cylinder) * 2.6 * place * (1 - place * place)
                        let module = Float(count) / 2 * (1 + place) + bent
                        let position = (module + Float(lead)) * Float(density)
                        var dark: Float = 0
                        if abs(across) < barHalf, position > 0, position < Float(tableCount - 1) {
                            let entry = Int(position)
                            dark = table[entry] + (table[entry + 1] - table[entry]) * (position - Float(entry))
                        }
                        light += (paper - (paper - ink) * min(dark, 1)) * (1 + Float(c.shade) * place)
                    }
                }
                let luma = 255 * powf(max(light / Float(sub * sub), 0), Float(1 / Self.gamma))
                pixels[y * width + x] = UInt8(
                    min(max(Double(luma) + c.noise * random.normal(), 0), 255).rounded())
            }
        }
        self.pixels = pixels
        func point(_ along: Double) -> Point { Point(x: centre.x + along * cosine, y: centre.y + along * sine) }
        line = CodeLine(left: point(-length / 2), right: point(length / 2), height: c.barLength * c.module)
    }

    /// What a locator sees of a code if only `part` of it shows.
    mutating func cropLine(to part: ClosedRange<Double>) {
        let (dx, dy) = (line.right.x - line.left.x, line.right.y - line.left.y)
        line = CodeLine(
            left: Point(x: line.left.x + part.lowerBound * dx, y: line.left.y + part.lowerBound * dy),
            right: Point(x: line.left.x + part.upperBound * dx, y: line.left.y + part.upperBound * dy),
            height: line.height)
    }

    /// The same where the picture's edge cuts it: nothing is behind.
    mutating func crop(to part: ClosedRange<Double>) {
        cropLine(to: part)
        let from = part.lowerBound > 0 ? max(0, Int(line.left.x.rounded())) : 0
        let to = part.upperBound < 1 ? min(width, Int(line.right.x.rounded())) : width
        pixels = (0..<height).flatMap { pixels[$0 * width + from..<$0 * width + to] }
        width = to - from
        line = CodeLine(
            left: Point(x: line.left.x - Double(from), y: line.left.y),
            right: Point(x: line.right.x - Double(from), y: line.right.y), height: line.height)
    }

    /// What a locator might say: ends up to `off` of the length away, a height that isn't right.
    func located(off: Double, by random: inout SplitMix) -> CodeLine {
        let (dx, dy) = (line.right.x - line.left.x, line.right.y - line.left.y)
        let (a, b) = (Double.random(in: -off...off, using: &random), Double.random(in: -off...off, using: &random))
        return CodeLine(
            left: Point(x: line.left.x + a * dx, y: line.left.y + a * dy),
            right: Point(x: line.right.x + b * dx, y: line.right.y + b * dy),
            height: line.height * .random(in: 0.6...1.1, using: &random))
    }

    func withSamples<Result>(_ body: (LumaSamples) -> Result) -> Result {
        pixels.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("a picture has pixels") }
            return body(LumaSamples(pixels: base, width: width, height: height, rowStride: width))
        }
    }
}
