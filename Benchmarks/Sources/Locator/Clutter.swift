import Foundation
import Vocabulary

/// Frames full of edges that show no code: what they cost must be bounded, and nothing may be read of them.
enum Clutter: String, CaseIterable {
    case noise
    case cameraNoise
    case chequers
    case blinds
    case bricks
    case print
    /// Slats of many widths, as bars have.
    case fence
    /// A display's pixels, which make moiré with the camera's.
    case screen

    /// 1280×720, rows without padding. Each seed has its own size, place and grain.
    func frame(seed: UInt64) -> [UInt8] {
        var random = SplitMix(seed: seed)
        let scale = Double.random(in: 0.6...1.6, using: &random)
        let shift = Int.random(in: 0..<1000, using: &random)
        let slats = Self.slats(by: &random)
        let (width, height) = (ShownPicture.size.width, ShownPicture.size.height)
        let columns = (0..<width).map { Int(Double($0 + shift) * scale) }
        let rows = (0..<height).map { Int(Double($0 + shift) * scale) }
        var frame = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let level: UInt8 =
                    switch self {
                    case .fence: slats[columns[x] % slats.count] ? 40 : 210
                    case .screen: Self.display(x + shift, y + shift, pitch: 2.5 * scale + 1)
                    default: level(columns[x], rows[y], &random)
                    }
                frame[y * width + x] = level
            }
        }
        return frame
    }

    private func level(_ x: Int, _ y: Int, _ random: inout SplitMix) -> UInt8 {
        switch self {
        case .noise: UInt8.random(in: 0...255, using: &random)
        case .cameraNoise: UInt8(120 + Int.random(in: -8...8, using: &random) + Int.random(in: -8...8, using: &random))
        case .chequers: (x / 5 + y / 5).isMultiple(of: 2) ? 30 : 220
        case .blinds: y % 17 < 8 ? 40 : 210
        case .bricks:
            y % 24 < 3 || (x + y / 24 % 2 * 30) % 60 < 3 ? 220 : UInt8(110 + Int.random(in: 0...20, using: &random))
        // Strokes two pixels wide, as in lines of small print.
        case .print: y % 16 < 10 && Self.isStroke(x / 2, y / 5) ? 30 : 230
        case .fence, .screen: 128
        }
    }

    /// Whether there is ink at a place of a line of small print.
    private static func isStroke(_ column: Int, _ row: Int) -> Bool {
        (column &* 2_654_435_761 &+ row &* 40_503) >> 7 & 3 == 0
    }

    private static func slats(by random: inout SplitMix) -> [Bool] {
        var slats: [Bool] = []
        while slats.count < 4000 {
            let width = Int.random(in: 2...10, using: &random)
            slats += [Bool](repeating: slats.last != true, count: width)
        }
        return slats
    }

    private static func display(_ x: Int, _ y: Int, pitch: Double) -> UInt8 {
        let (across, down) = (cos(2 * .pi * Double(x) / pitch), cos(2 * .pi * Double(y) / pitch))
        // Lines of text in a window, which is lighter.
        let isText = y / 14 % 2 == 0 && isStroke(x / 3, y / 5)
        return UInt8((isText ? 70.0 : 150) + 45 * across + 30 * down)
    }
}
