/// What to copy for a stacked code of which a region of bars shows a part, and at which size.
struct StackFrame {
    /// How much more than the region, in pixels of the picture.
    let beyondEnds: Double
    let beyondSides: Double
    /// How many times smaller or larger the copy is.
    let reduction: Int
    let enlargement: Int
    /// Of the copy, in its pixels.
    let width: Double
    let height: Double

    /// The copy's pixels for one of the picture.
    var scale: Double { Double(enlargement) / Double(reduction) }

    /// In pixels: the copy, and what is read to make it smaller.
    var cost: Double {
        let area = width * height
        return reduction > 1 ? area + area * Double(reduction * reduction) / 4 : area
    }

    /// The locator finds a PDF417 as two or three regions, one beside the other, as its bars differ. As parts of a region's length, at most: half of a code
    /// shows all of it, or a third from its middle.
    private static let beyond = (ends: 1.0, sides: 0.35)
    /// So much of it where all of it would be too large.
    private static let parts = [1, 0.5, 0.25, 0.1]
    /// Pixels a module that are enough. ZXing allows all codewords of a PDF417 the same two pixels of difference, so a code on a can is read when it is small.
    private static let enough = 2.5
    /// Narrower modules, in pixels, as the locator estimates them, are enlarged.
    private static let narrow = 3.0
    /// The largest copy, in pixels: about a frame's.
    private static let mostPixels = 1_000_000.0

    /// `nil` if it would be too large: codes of such a size have large modules, or are stripes.
    init?(of region: LocatedRegion) {
        guard region.module.isFinite else { return nil }
        reduction = max(1, Int(region.module / Self.enough))
        let enlargements = region.module >= Self.narrow ? [1] : [2, 1]
        for (part, enlargement) in Self.parts.flatMap({ part in enlargements.map { (part, $0) } }) {
            let (ends, sides) = (part * Self.beyond.ends * region.length, part * Self.beyond.sides * region.length)
            let scale = Double(enlargement) / Double(reduction)
            let (width, height) = ((region.length + 2 * ends) * scale, (region.height + 2 * sides) * scale)
            guard width * height <= Self.mostPixels else { continue }
            (beyondEnds, beyondSides, self.enlargement) = (ends, sides, enlargement)
            (self.width, self.height) = (width, height)
            return
        }
        return nil
    }
}

extension LocatedRegion {
    /// ZXing reads rows that climb by up to 9 degrees if nothing else is wrong with them; this is 6, in radians.
    private static let levelTurn = 0.105

    /// Whether its rows climb.
    var isTurned: Bool { min(abs(direction), .pi / 2 - abs(direction)) > Self.levelTurn }
}
