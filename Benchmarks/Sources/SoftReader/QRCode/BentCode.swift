import CQRCode
import CZXing
import Foundation
import SoftReader
import TestSupport

/// A QR code drawn by libqrencode on a sheet that is bent, or under glare, and what readers make of it.
struct BentCode {
    /// What is done to the sheet, from little to much.
    enum Trouble: String, CaseIterable {
        /// Height of waves in both directions, in modules.
        case waves
        /// Degrees of a can that the code goes around.
        case can
        /// How many times longer the side in front looks than the one behind.
        case slant
        /// Half the width of a streak of light, as a part of the code's side.
        case glare

        var values: [Double] {
            switch self {
            case .waves: stride(from: 0, through: 1.2, by: 0.1).map { $0 }
            case .can: stride(from: 20, through: 150, by: 10).map { $0 }
            case .slant: stride(from: 1, through: 4, by: 0.25).map { $0 }
            case .glare: stride(from: 0, through: 0.5, by: 0.05).map { $0 }
            }
        }

        var unit: String {
            switch self {
            case .waves: "height of the waves, modules"
            case .can: "degrees around a can"
            case .slant: "near side to far side"
            case .glare: "half the streak, of the code's side"
            }
        }
    }

    let text: String
    private let side: Int
    private let modules: [Bool]
    private(set) var picture: BentPicture

    /// Pixels a module of the flat code.
    private static let module = 5.0
    private static let noise = 8
    private static let versions = 2...6

    /// A code with a random text, of a random version and level M, turned by up to 15 degrees.
    /// - Parameter isEmpty: its patterns stand around random modules: there is nothing to read.
    init?(_ trouble: Trouble, _ value: Double, isEmpty: Bool = false, by random: inout SplitMix) {
        let version = Int.random(in: Self.versions, using: &random)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/:.-")
        let text = String((0..<(20 * (version - 1))).map { _ in letters.randomElement(using: &random) ?? "-" })
        side = 17 + 4 * version
        var drawn = [UInt8](repeating: 0, count: side * side)
        let bytes = Array(text.utf8)
        let drawnSide = CQRCode_encode_as(bytes, bytes.count, Int32(version), 1, &drawn, drawn.count)
        guard Int(drawnSide) == side, let layout = SymbolLayout(version: version) else { return nil }
        var modules = drawn.map { $0 == 1 }
        if isEmpty { for index in layout.dataModules { modules[index] = Bool.random(using: &random) } }
        self.text = text
        self.modules = modules
        picture = Self.drawing(of: modules, side: side, trouble, value, by: &random)
    }

    private static func drawing(
        of modules: [Bool], side: Int, _ trouble: Trouble, _ value: Double, by random: inout SplitMix
    ) -> BentPicture {
        let length = Double(side) * module
        let size = Int(length * 1.9)
        let middle = Double(size) / 2
        let degrees = Double.random(in: -15...15, using: &random)
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let phases = (0..<4).map { _ in Double.random(in: 0..<(2 * .pi), using: &random) }
        let half = Double(side) / 2
        var picture = BentPicture(of: modules, columns: side, width: size, height: size) { x, y in
            // From the middle, in modules.
            var u = (c * (x - middle) + s * (y - middle)) / module
            var v = (c * (y - middle) - s * (x - middle)) / module
            switch trouble {
            case .waves:
                (u, v) = (
                    u + value * (0.7 * sin(v / 5 + phases[0]) + 0.3 * sin(u / 4 + phases[1])),
                    v + value * (0.7 * sin(u / 5 + phases[2]) + 0.3 * sin(v / 4 + phases[3]))
                )
            case .can:
                let radius = Double(side) / (value * .pi / 180)
                guard abs(u) < radius else { return (-1, -1) }
                u = asin(u / radius) * radius
            case .slant:
                // The plane's depth grows along u so that its ends look that much different.
                let slope = (value - 1) / (value + 1) / half
                let depth = 1 / (1 + slope * u)
                (u, v) = (u * depth * value.squareRoot() / 1.2, v * depth)
            case .glare: break
            }
            return (u + half, v + half)
        }
        if trouble == .glare, value > 0 {
            let shift = Double.random(in: -0.1...0.1, using: &random) * length
            picture.glare(width: value * length) { x, y in
                (c * (x - middle) + s * (y - middle)) - shift
            }
        }
        picture.addNoise(levels: noise, using: &random)
        return picture
    }

    /// What a reader said: right, and anything wrong.
    typealias Said = (isRight: Bool, isWrong: Bool)

    /// Our own reader.
    func readSoftly(_ samples: LumaSamples) -> Said {
        let found = QRCodeReader().read(samples)
        return (found.contains { $0.symbol.modules == modules }, found.contains { $0.symbol.modules != modules })
    }

    func readByZXing(_ samples: LumaSamples) -> Said {
        said(PeerDecoders.zxing(samples.pixels, samples.width, samples.height, for: [CZXING_QR_CODE]))
    }

    func readByZBar(_ samples: LumaSamples) -> Said {
        said(PeerDecoders.zbar(samples.pixels, samples.width, samples.height))
    }

    private func said(_ texts: [String]) -> Said { (texts.contains(text), texts.contains { $0 != text }) }
}

extension BentPicture {
    /// - Returns: what `body` makes of it; the samples are valid until it returns.
    func withSamples<Result>(_ body: (LumaSamples) -> Result) -> Result {
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("a picture has pixels") }
            return body(LumaSamples(pixels: start, width: width, height: height, rowStride: width))
        }
    }
}
