/// The treatments of a picture that `ReadPass` asks for.
extension LumaPlane {
    /// A smaller copy can't hold a code.
    static let shortestSide = 16
    /// Enlarging a plane beyond this many pixels isn't worth its cost: such pictures have enough pixels.
    static let mostEnlargedPixels = 6_000_000
    /// A larger picture is read only as it is, reduced, or in parts: other copies of it take too much memory (a filter holds three at a time).
    static let mostTreatedPixels = 24_000_000

    /// The largest copy of a region that is enlarged for small modules; larger regions have large ones, or fill the picture.
    static let mostMagnifiedPixels = 1_000_000

    /// How many times to enlarge a region of so many pixels; `nil`: not at all.
    static func magnification(ofPixels count: Int) -> Int? {
        [3, 2].first { count * $0 * $0 <= mostMagnifiedPixels }
    }

    /// `nil` if the result would be too small or too large to be useful.
    func treated(_ treatment: ReadPass.Treatment) -> LumaPlane? {
        switch treatment {
        case .reduced(let factor):
            return min(width, height) / factor >= Self.shortestSide ? reduced(by: factor) : nil
        case .part(let index): return piece(index, columns: 2, rows: 2)
        case .tile(let index): return piece(index, columns: 3, rows: 2)
        case .smallTile(let index): return piece(index, columns: 5, rows: 4)
        case _ where pixelCount > Self.mostTreatedPixels:
            return nil
        case .enlarged(let percent):
            let factor = Double(percent) / 100
            guard Double(pixelCount) * factor * factor <= Double(Self.mostEnlargedPixels) else { return nil }
            return percent % 100 == 0
                ? magnified(x: percent / 100, y: percent / 100) : enlarged(x: factor, y: factor)
        case .magnified:
            return Self.magnification(ofPixels: pixelCount).map { magnified(x: $0, y: $0) }
        case .stretched(let factor):
            guard pixelCount * factor <= Self.mostEnlargedPixels else { return nil }
            // Straight lines between pixels: sharpened afterwards, bars keep more of their width than with Lanczos' overshoots.
            return enlarged(x: Double(factor), y: 1)
        case .rotated(let degrees):
            return rotated(degrees: degrees)
        case .sharpened(let radius, let amount):
            return sharpened(radius: radius, amount: amount)
        case .normalised(let radius):
            return normalised(radius: radius)
        case .blurred(let radius):
            return blurred(radius: radius)
        case .closed(let radius):
            return closed(radius: radius)
        case .bowedDown(let percent):
            return bowedDown(percent: percent)
        case .bowedAcross(let percent):
            return bowedAcross(percent: percent)
        }
    }

    /// A part as large as one cell of a `columns` by `rows` grid; such parts overlap by half and are numbered row by row.
    private func piece(_ index: Int, columns: Int, rows: Int) -> LumaPlane? {
        guard min(width / columns, height / rows) >= Self.shortestSide else { return nil }
        let across = 2 * columns - 1
        return cropped(
            x: index % across * width / (2 * columns), y: index / across * height / (2 * rows), width: width / columns,
            height: height / rows)
    }
}
