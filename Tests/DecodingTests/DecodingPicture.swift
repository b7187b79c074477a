import Glibc
import ReaderProtocol
import Vocabulary

@testable import Decoding

/// A grey picture to paint codes on.
struct DecodingPicture {
    let width: Int
    let height: Int
    /// Bytes from row to row; the bytes in between are noise that nobody may read.
    let rowStride: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, rowStride: Int? = nil, grey: UInt8 = 230) {
        self.width = width
        self.height = height
        self.rowStride = rowStride ?? width
        pixels = [UInt8](repeating: 77, count: height * self.rowStride)
        for y in 0..<height { for x in 0..<width { pixels[y * self.rowStride + x] = grey } }
    }

    /// A row of modules for `paint`, of 0 and 1: a digit in hexadecimal is four of them.
    static func row(_ modules: some Sequence<Character>) -> String {
        let bits = Array(modules)
        let padded = bits + Array(repeating: "0", count: (4 - bits.count % 4) % 4)
        return stride(from: 0, to: padded.count, by: 4)
            .map { String(Int(String(padded[$0..<$0 + 4]), radix: 2) ?? 0, radix: 16, uppercase: true) }.joined()
    }

    /// Paints rows of modules (`DecodingFixtures`) around a centre, turned clockwise.
    /// - Parameters:
    ///   - module: width of a module in pixels; a single row is `barHeight` modules high.
    ///   - isInverted: light on a dark patch.
    ///   - bend: which place of the code, in modules from its top left corner, is where a flat one would have that of its arguments.
    mutating func paint(
        _ rows: [String], x centreX: Double, y centreY: Double, module: Double = 3, degrees: Double = 0,
        isInverted: Bool = false, barHeight: Double = 40, bend: (Double, Double) -> (Double, Double) = { ($0, $1) }
    ) {
        let modules = rows.map { row in
            row.flatMap { digit -> [Bool] in
                let value = digit.hexDigitValue ?? 0
                return [value & 8 != 0, value & 4 != 0, value & 2 != 0, value & 1 != 0]
            }
        }
        let columns = modules[0].count
        let lines = rows.count == 1 ? barHeight : Double(rows.count)
        let quiet = 8.0
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let reach = ((Double(columns) + 2 * quiet) + (lines + 2 * quiet)) * module / 2
        let across = max(0, Int(centreX - reach))..<min(width, Int(centreX + reach))
        let down = max(0, Int(centreY - reach))..<min(height, Int(centreY + reach))
        // Two by two samples per pixel, as a lens would mix them.
        for y in down {
            for x in across {
                var dark = 0
                var covered = 0
                for sub in 0..<4 {
                    let dx = Double(x) + (sub % 2 == 0 ? 0.25 : 0.75) - centreX
                    let dy = Double(y) + (sub / 2 == 0 ? 0.25 : 0.75) - centreY
                    let (u, v) = bend(
                        (c * dx + s * dy) / module + Double(columns) / 2, (-s * dx + c * dy) / module + lines / 2)
                    guard u > -quiet, v > -quiet, u < Double(columns) + quiet, v < lines + quiet else { continue }
                    covered += 1
                    guard u >= 0, v >= 0, u < Double(columns), v < lines else { continue }
                    if modules[rows.count == 1 ? 0 : Int(v)][Int(u)] { dark += 1 }
                }
                guard covered > 0 else { continue }
                let level = 220 - 190 * dark / covered
                pixels[y * rowStride + x] = UInt8(isInverted ? 250 - level : level)
            }
        }
    }

    /// Adds uniform noise of up to `amplitude` levels each way; the same seed gives the same noise.
    mutating func addNoise(amplitude: Int, seed: UInt64) {
        var state = seed
        for y in 0..<height {
            for x in 0..<width {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let offset = Int(state >> 33) % (2 * amplitude + 1) - amplitude
                let value = Int(pixels[y * rowStride + x]) + offset
                pixels[y * rowStride + x] = UInt8(min(max(value, 0), 255))
            }
        }
    }

    /// Averages each row over 2 × `radius` + 1 pixels, `times` times.
    mutating func blurAcross(radius: Int, times: Int) {
        for _ in 0..<times {
            let sharp = pixels
            for y in 0..<height {
                for x in 0..<width {
                    let part = max(0, x - radius)...min(width - 1, x + radius)
                    let sum = part.reduce(0) { $0 + Int(sharp[y * rowStride + $1]) }
                    pixels[y * rowStride + x] = UInt8(sum / part.count)
                }
            }
        }
    }

    func read(
        by engine: DecodeEngine, effort: ReadEffort, startingAtPass: Int = 0, onPass: (Int) -> Void = { _ in }
    ) -> [Symbol] {
        pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            let view = LumaView(base: base, size: FrameSize(width: width, height: height), rowStride: rowStride)
            return engine.read(
                view, effort: effort, startingAtPass: startingAtPass, onPass: onPass)
        }
    }

    mutating func fill(x: Int, y: Int, width: Int, height: Int, _ level: UInt8) {
        for row in y..<y + height { for column in x..<x + width { pixels[row * rowStride + column] = level } }
    }

    func cropped(x: Int, y: Int, width: Int, height: Int) -> DecodingPicture {
        var part = DecodingPicture(width: width, height: height)
        for row in 0..<height {
            for column in 0..<width { part.pixels[row * width + column] = pixels[(y + row) * rowStride + x + column] }
        }
        return part
    }

    func withPlane<R>(_ body: (LumaPlane) throws -> R) rethrows -> R {
        try pixels.withUnsafeBytes { bytes in
            // An array of pixels isn't empty.
            try body(
                LumaPlane(
                    borrowing: LumaView(
                        base: bytes.baseAddress!, size: FrameSize(width: width, height: height), rowStride: rowStride)))
        }
    }

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

/// What happens to codes before a camera.
