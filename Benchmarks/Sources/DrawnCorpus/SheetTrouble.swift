import Foundation
import TestSupport

/// What keeps a camera from reading a code on a sheet, and how much of it, from little to much.
enum SheetTrouble: String, CaseIterable {
    /// Pixels a module.
    case size
    /// Spread of a lens that isn't in focus, in modules.
    case blur
    /// How many times larger a near module looks than one behind it that is as far away as the code is long.
    case slant
    /// Degrees of a can that the code goes around.
    case can
    /// Height of waves in both directions, in modules.
    case waves
    /// Diameter of the dots that needles make in place of modules, in modules.
    case dots

    /// Whether such codes have it. Nobody makes bars of dots.
    func isOf(_ kind: DrawnCode.Kind) -> Bool { self != .dots || kind.hasSquareModules }

    var values: [Double] {
        switch self {
        case .size: [0.9, 1.1, 1.3, 1.5, 1.75, 2, 2.5]
        case .blur: [0.5, 0.55, 0.6, 0.65, 0.7, 0.8]
        case .slant: [1.5, 2.2, 3]
        case .can: [60, 100, 130]
        case .waves: [0.4, 0.7, 1]
        case .dots: [0.9, 0.75, 0.6]
        }
    }

    /// A picture of a code that has this trouble and no other, but for some noise.
    func picture(of code: DrawnCode, _ value: Double, turnedBy degrees: Double, by random: inout SplitMix)
        -> BentPicture
    {
        let module = self == .size ? value : self == .blur ? Self.blurredModule : Self.module
        let (columns, rows) = (Double(code.columns), Double(code.rows))
        let room = self == .slant ? 1.6 : 1.2
        let side = (columns * columns + rows * rows).squareRoot() * module * room + 2 * Self.margin
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let middle = side / 2 + Double.random(in: -0.5...0.5, using: &random)
        let phases = (0..<4).map { _ in Double.random(in: 0..<(2 * .pi), using: &random) }
        var picture = BentPicture(
            of: code.modules, columns: code.columns, width: Int(side), height: Int(side),
            ink: .random(in: 30...60, using: &random), paper: .random(in: 150...220, using: &random)
        ) { x, y in
            let u = (c * (x - middle) + s * (y - middle)) / module
            let v = (c * (y - middle) - s * (x - middle)) / module
            guard let (u, v) = onSheet(u, v, value, of: (columns, rows), phases) else { return (-1, -1) }
            return (u + columns / 2, v + rows / 2)
        }
        picture.blur(spread: self == .blur ? value * module : Self.lens)
        picture.addNoise(levels: Self.noise, using: &random)
        return picture
    }

    /// Pixels a module where it isn't the trouble.
    private static let module = 5.0
    private static let blurredModule = 4.0
    /// Pixels of paper around it.
    private static let margin = 30.0
    /// Spread of a lens in focus, in pixels.
    private static let lens = 0.4
    private static let noise = 7

    /// From the middle, in modules: which place of the flat sheet is seen at a place. `nil`: none.
    private func onSheet(
        _ u: Double, _ v: Double, _ value: Double, of size: (columns: Double, rows: Double), _ phases: [Double]
    ) -> (Double, Double)? {
        switch self {
        case .size, .blur: return (u, v)
        case .slant:
            let depth = 1 + (value - 1) / (value + 1) / (max(size.columns, size.rows) / 2) * v
            return depth > 0.1 ? (u / depth, v / depth) : nil
        case .can:
            let radius = size.columns / (value * .pi / 180)
            return abs(u) < radius ? (asin(u / radius) * radius, v) : nil
        case .waves:
            let length = 2 * Double.pi / (0.8 * max(size.columns, size.rows))
            return (
                u + value * (0.7 * sin(v * length + phases[0]) + 0.3 * sin(u * length + phases[1])),
                v + value * (0.7 * sin(u * length + phases[2]) + 0.3 * sin(v * length + phases[3]))
            )
        case .dots:
            let (x, y) = (u + size.columns / 2, v + size.rows / 2)
            let (right, down) = (x - x.rounded(.down) - 0.5, y - y.rounded(.down) - 0.5)
            return 4 * (right * right + down * down) < value * value ? (u, v) : nil
        }
    }
}
