extension ReadPass {
    /// How the picture is treated first.
    enum Treatment: Hashable {
        case reduced(Int)
        /// In percent.
        case enlarged(Int)
        /// Three times, or twice if that would be too large (`magnification`).
        case magnified
        /// Wider by a factor, with the same height: more pixels per bar.
        case stretched(Int)
        case rotated(Int)
        case sharpened(radius: Int, amount: Int)
        /// Of a lens that isn't in focus: `Deblur`.
        case deblurred
        case normalised(radius: Int)
        case blurred(radius: Int)
        case closed(radius: Int)
        /// Columns, or rows, moved by the square of their distance from the middle, in percent of half the side.
        case bowedDown(Int)
        case bowedAcross(Int)
        /// One of nine overlapping quarters, numbered row by row.
        case part(Int)
        /// One of fifteen overlapping sixths (a third of the width, half of the height), numbered row by row.
        case tile(Int)
        /// One of 63 overlapping twentieths (a fifth of the width, a quarter of the height), numbered row by row.
        case smallTile(Int)

        /// Enlarging a plane beyond this many pixels isn't worth its cost: such pictures have enough pixels.
        private static let mostEnlargedPixels = 6_000_000
        /// A larger picture is read only as it is, reduced, or in parts: other copies of it take too much memory (a filter holds three at a time).
        static let mostPixels = 24_000_000

        /// The largest copy of a region that is enlarged for small modules; larger regions have large ones, or fill the picture.
        private static let mostMagnifiedPixels = 1_000_000

        /// How many times to enlarge a region of `count` pixels; `nil`: not at all.
        static func magnification(ofPixels count: Int) -> Int? {
            [3, 2].first { count * $0 * $0 <= mostMagnifiedPixels }
        }

        /// `nil` if the result would be too small or too large to be useful.
        func applied(to plane: LumaPlane) -> LumaPlane? {
            switch self {
            case .reduced(let factor):
                return min(plane.width, plane.height) / factor >= LumaPlane.shortestSide
                    ? plane.reduced(by: factor) : nil
            case .part(let index): return Self.piece(index, of: plane, Self.parts)
            case .tile(let index): return Self.piece(index, of: plane, Self.tiles)
            case .smallTile(let index): return Self.piece(index, of: plane, Self.smallTiles)
            case _ where plane.pixelCount > Self.mostPixels:
                return nil
            case .enlarged(let percent):
                let factor = Double(percent) / 100
                guard Double(plane.pixelCount) * factor * factor <= Double(Self.mostEnlargedPixels) else { return nil }
                return percent % 100 == 0
                    ? Lanczos.magnified(plane, x: percent / 100, y: percent / 100)
                    : plane.enlarged(x: factor, y: factor)
            case .magnified:
                return Self.magnification(ofPixels: plane.pixelCount).map { Lanczos.magnified(plane, x: $0, y: $0) }
            case .stretched(let factor):
                guard plane.pixelCount * factor <= Self.mostEnlargedPixels else { return nil }
                // Straight lines between pixels: sharpened afterwards, bars keep more of their width than with Lanczos' overshoots.
                return plane.enlarged(x: Double(factor), y: 1)
            case .rotated(let degrees):
                return plane.rotated(degrees: degrees)
            case .sharpened(let radius, let amount):
                return PlaneFilter(of: plane).sharpened(radius: radius, amount: amount)
            case .deblurred:
                return Deblur.sharpened(plane)
            case .normalised(let radius):
                return PlaneFilter(of: plane).normalised(radius: radius)
            case .blurred(let radius):
                return PlaneFilter(of: plane).blurred(radius: radius)
            case .closed(let radius):
                return PlaneFilter(of: plane).closed(radius: radius)
            case .bowedDown(let percent):
                return Bow.down(plane, percent: percent)
            case .bowedAcross(let percent):
                return Bow.across(plane, percent: percent)
            }
        }

        static let partCount = parts.pieceCount
        static let tileCount = tiles.pieceCount
        static let smallTileCount = smallTiles.pieceCount

        private static let parts = PieceGrid(columns: 2, rows: 2)
        private static let tiles = PieceGrid(columns: 3, rows: 2)
        private static let smallTiles = PieceGrid(columns: 5, rows: 4)

        private static func piece(_ index: Int, of plane: LumaPlane, _ grid: PieceGrid) -> LumaPlane? {
            let (width, height) = (plane.width, plane.height)
            let (columns, rows) = (grid.columns, grid.rows)
            guard min(width / columns, height / rows) >= LumaPlane.shortestSide else { return nil }
            return plane.cropped(
                x: index % grid.across * width / (2 * columns), y: index / grid.across * height / (2 * rows),
                width: width / columns, height: height / rows)
        }
    }
}

/// Pieces as large as one cell of a grid; they overlap by half and are numbered row by row.
private struct PieceGrid {
    let columns: Int
    let rows: Int

    var across: Int { 2 * columns - 1 }
    var pieceCount: Int { across * (2 * rows - 1) }
}
