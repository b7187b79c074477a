/// What to copy for a stacked code of which a region of bars shows a part, and at which size.
struct StackFrame {
    /// How much more than the region, in pixels of the picture.
    let beyondEnds: Double
    let beyondSides: Double
    /// How many times smaller or larger the copy is.
    let reduction: Int
    let enlargement: Int
    /// The copy's pixels for one of the picture.
    var scale: Double { Double(enlargement) / Double(reduction) }
    /// Of the copy, in its pixels.
    let width: Double
    let height: Double

    /// The locator finds a PDF417 as two or three regions, one beside the other, as its bars differ; the largest has a third of it or more. As parts of a
    /// region's length.
    private static let beyond = (ends: 1.0, sides: 0.35)
    /// Pixels a module that are enough. ZXing allows all codewords of a PDF417 the same two pixels of difference, so a code on a can is read when it is small.
    private static let enough = 2.5
    /// Narrower modules, in pixels, as the locator estimates them, are enlarged.
    private static let narrow = 3.0
    /// The largest copy that is enlarged, in pixels.
    private static let mostPixels = 1_000_000.0

    init(of region: LocatedRegion) {
        beyondEnds = Self.beyond.ends * region.length
        beyondSides = Self.beyond.sides * region.length
        let (length, height) = (region.length + 2 * beyondEnds, region.height + 2 * beyondSides)
        reduction = max(1, Int(region.module / Self.enough))
        let factor = region.module >= Self.narrow ? 1 : 2
        enlargement = length * height * Double(factor * factor) <= Self.mostPixels ? factor : 1
        let scale = Double(enlargement) / Double(reduction)
        (width, self.height) = (length * scale, height * scale)
    }

    /// Of the copy, in its pixels.
    var area: Double { width * height }
}

extension LocatedRegion {
    /// Rows that climb less are level for decoders: 4 degrees.
    private static let levelTurn = 0.07

    /// Whether its rows climb.
    var isTurned: Bool { min(abs(direction), .pi / 2 - abs(direction)) > Self.levelTurn }
}
