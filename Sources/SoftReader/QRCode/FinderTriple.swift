/// Three finder patterns that may be those of one QR code, their frames turned as the code lies.
struct FinderTriple {
    let corner: ModuleFrame
    /// At the end of the top row of modules.
    let right: ModuleFrame
    /// At the end of the left column.
    let below: ModuleFrame
    /// Modules from one centre to the next, measured: the smallest code has 14.
    let modules: Float
    let misfit: Float

    /// The middle of the code, about.
    var middle: Place { (right.centre + below.centre) / 2 }

    /// Each with where its middle is in a code of `side` modules.
    func patterns(ofSide side: Int) -> [(frame: ModuleFrame, middle: Place)] {
        let far = Float(side) - 3.5
        return [(corner, Place(3.5, 3.5)), (right, Place(far, 3.5)), (below, Place(3.5, far))]
    }

    /// The likely sides of the code in modules, the likeliest first.
    var sides: [Int] {
        let version = (modules - 10) / 4
        let nearest = Int(version.rounded())
        let next = version > Float(nearest) ? nearest + 1 : nearest - 1
        let others = modules > 60 ? [nearest, next, 2 * nearest - next] : [nearest, next]
        return others.filter { (1...40).contains($0) }.map { 17 + 4 * $0 }
    }

    private static let most = 5
    /// Of `modules`: the smallest code has 14, the largest that is read 90.
    private static let range: ClosedRange<Float> = 11...100
    /// How far a neighbour may lie off an axis of a pattern's frame, as a part of its distance: paper is bent.
    private static let mostSlant: Float = 0.4
    /// How many times as large modules may look at one end of a side as at the other.
    private static let mostForeshortened: Float = 8
    /// How much more modules one side may have than the other.
    private static let mostUneven: Float = 0.3

    /// The likeliest of some patterns, best first.
    static func all(of patterns: [FinderPattern]) -> [FinderTriple] {
        var triples: [FinderTriple] = []
        for corner in patterns.indices {
            for right in patterns.indices where right != corner {
                for below in patterns.indices where below != corner && below != right {
                    let triple = FinderTriple(patterns[corner].frame, patterns[right].frame, patterns[below].frame)
                    if let triple { triples.append(triple) }
                }
            }
        }
        return Array(triples.sorted { $0.misfit < $1.misfit }.prefix(most))
    }

    private init?(_ corner: ModuleFrame, _ right: ModuleFrame, _ below: ModuleFrame) {
        // Seen from the front.
        let (across, down) = (right.centre - corner.centre, below.centre - corner.centre)
        guard across.cross(down) > 0 else { return nil }
        let corner = corner.turned(towards: across, down)
        let right = right.turned(towards: across, down)
        let below = below.turned(towards: across, down)
        let top = Self.distance(corner.modules(to: right.centre), -right.modules(to: corner.centre))
        let left = Self.distance(
            corner.modules(to: below.centre).swapped, -below.modules(to: corner.centre).swapped)
        guard let top, let left else { return nil }
        let uneven = abs(top.modules - left.modules) / max(top.modules, left.modules)
        guard uneven <= Self.mostUneven else { return nil }
        (self.corner, self.right, self.below) = (corner, right, below)
        modules = (top.modules + left.modules) / 2
        // Among equal fits the nearest patterns belong together.
        misfit = uneven + top.slant + left.slant + modules / 200
    }

    /// From one pattern to another along an axis, as each of the two sees it.
    private static func distance(_ first: Place, _ second: Place) -> (modules: Float, slant: Float)? {
        guard first.x > 0, second.x > 0 else { return nil }
        let slant = max(abs(first.y) / first.x, abs(second.y) / second.x)
        // A line that is seen at an angle: modules at its ends have the geometric mean of the scale in between.
        let modules = (first.x * second.x).squareRoot()
        guard slant <= mostSlant, range.contains(modules),
            max(first.x, second.x) <= mostForeshortened * min(first.x, second.x)
        else {
            return nil
        }
        return (modules, slant)
    }
}

extension SIMD2<Float> {
    fileprivate var swapped: Self { Self(y, x) }
}

extension ModuleFrame {
    /// Turned by quarters so that its columns and rows run along two directions as well as they can.
    fileprivate func turned(towards across: Place, _ down: Place) -> ModuleFrame {
        var best = self
        var bestFit = -Float.infinity
        var frame = self
        for _ in 0..<4 {
            let fit =
                frame.column.dot(across) / (frame.column.length * across.length)
                + frame.row.dot(down) / (frame.row.length * down.length)
            if fit > bestFit { (best, bestFit) = (frame, fit) }
            frame = frame.turned
        }
        return best
    }
}
