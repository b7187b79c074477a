import Vocabulary

/// Frames full of edges that show no code: what they cost must be bounded.
enum Clutter: String, CaseIterable {
    case noise
    case cameraNoise
    case chequers
    case blinds
    case bricks
    case print

    /// 1280×720, rows without padding.
    var frame: [UInt8] {
        var random = SplitMix(seed: 11)
        let (width, height) = (ShownPicture.size.width, ShownPicture.size.height)
        var frame = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height { for x in 0..<width { frame[y * width + x] = level(x, y, &random) } }
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
        case .print: y % 16 < 10 && (x / 2 &* 2_654_435_761 &+ y / 5 &* 40_503) >> 7 & 3 == 0 ? 30 : 230
        }
    }
}
