import Reading
import TestSupport
import Vocabulary

/// A synthetic luma picture.
struct TestPicture {
    var size: FrameSize
    var pixels: [UInt8]

    /// White.
    init(width: Int = 320, height: Int = 240, fill: UInt8 = 220) {
        size = FrameSize(width: width, height: height)
        pixels = Array(repeating: fill, count: width * height)
    }

    subscript(x: Int, y: Int) -> UInt8 {
        get { pixels[y * size.width + x] }
        set { pixels[y * size.width + x] = newValue }
    }

    /// Every pixel differs from its neighbours, and its value identifies it.
    static func gradient(width: Int, height: Int) -> TestPicture {
        var picture = TestPicture(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width { picture[x, y] = UInt8(truncatingIfNeeded: x &* 7 &+ y &* 31) }
        }
        return picture
    }

    mutating func fill(x: Int, y: Int, width: Int, height: Int, _ value: UInt8) {
        for row in y..<y + height {
            for column in x..<x + width { self[column, row] = value }
        }
    }

    /// A checkerboard that looks like a matrix code's modules.
    mutating func addModules(x: Int, y: Int, side: Int, module: Int = 4) {
        for row in 0..<side {
            for column in 0..<side where (row / module + column / module) % 2 == 0 { self[x + column, y + row] = 30 }
        }
    }

    func leftPart(width: Int) -> TestPicture {
        var part = TestPicture(width: width, height: size.height)
        for y in 0..<size.height {
            for x in 0..<width { part[x, y] = self[x, y] }
        }
        return part
    }

    /// Nearly normal noise: the sum of a random number's eight bytes. The same seed gives the same noise.
    func withNoise(sigma: Double, seed: UInt64) -> TestPicture {
        var random = SeededGenerator(seed: seed)
        // The standard deviation of one byte is 255 / √12.
        let scale = Int32(sigma / (8.0 / 12).squareRoot() / 256 * 65536)
        var picture = self
        picture.pixels.withUnsafeMutableBufferPointer { pixels in
            for index in pixels.indices {
                let number = random.next()
                let pairs = (number & 0x00FF_00FF_00FF_00FF) &+ (number >> 8 & 0x00FF_00FF_00FF_00FF)
                let sum = Int32(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) >> 48)
                let value = Int32(pixels[index]) &+ ((sum &- 1020) &* scale) >> 16
                pixels[index] = UInt8(clamping: value)
            }
        }
        return picture
    }

    /// An EAN-13 of `digits` (13, with check digit), bars two pixels wide and half the picture high.
    mutating func addEAN13(_ digits: String, x: Int = 40, y: Int = 40, height: Int = 120, module: Int = 2) {
        let left = [
            "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111",
            "0001011",
        ]
        let parities = [
            "LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL",
        ]
        let numbers = digits.compactMap(\.wholeNumberValue)
        var bars = "101"
        for (index, parity) in parities[numbers[0]].enumerated() {
            let code = left[numbers[index + 1]]
            bars += parity == "L" ? code : String(inverted(code).reversed())
        }
        bars += "01010"
        for number in numbers[7...] { bars += inverted(left[number]) }
        bars += "101"
        for (index, bar) in bars.enumerated() where bar == "1" {
            fill(x: x + index * module, y: y, width: module, height: height, 20)
        }
    }

    private func inverted(_ code: String) -> String { String(code.map { $0 == "0" ? "1" : "0" }) }

    func withFrame<R>(
        sequence: UInt64 = 1, at: Instant = .zero, _ body: (LumaFrame) -> R
    ) -> R {
        pixels.withUnsafeBytes { bytes in
            body(
                LumaFrame(
                    base: bytes.baseAddress!, size: size, rowStride: size.width,
                    info: FrameInfo(sequence: sequence, exposedAt: at, deliveredAt: at)))
        }
    }

    var signature: FrameSignature {
        var signature = FrameSignature()
        signature.begin(size)
        pixels.withUnsafeBufferPointer { buffer in
            for y in stride(from: 0, to: size.height, by: signature.rowStep) {
                let row = buffer.baseAddress! + y * size.width
                let above = y >= signature.rowStep ? row - signature.rowStep * size.width : nil
                signature.add(row: row, above: above, y: y)
            }
        }
        signature.end()
        return signature
    }

    var pgm: [UInt8] { Array("P5\n\(size.width) \(size.height)\n255\n".utf8) + pixels }
}
