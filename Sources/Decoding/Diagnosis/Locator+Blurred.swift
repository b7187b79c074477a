import ReaderProtocol
import Vocabulary

extension Locator {
    /// The locator looks at differences of neighbouring pixels: what is out of focus shows its edges on a copy of so many times fewer pixels.
    private static let reduction = 3
    /// A larger picture has edges enough.
    private static let mostPixels = 24_000_000

    /// Matrix codes that are out of focus: finder patterns that fit together, and texture. In pixels of `luma`.
    func blurredRegions(of luma: LumaView) -> [LocatedRegion] {
        let factor = Self.reduction
        guard min(luma.size.width, luma.size.height) / factor >= LumaPlane.shortestSide,
            luma.size.width * luma.size.height <= Self.mostPixels
        else { return [] }
        let small = LumaPlane(borrowing: luma).reduced(by: factor)
        return regions(of: small).filter { $0.kind != .bars }.map { region in
            var region = region
            region.centre = Point(x: region.centre.x * Double(factor), y: region.centre.y * Double(factor))
            region.length *= Double(factor)
            region.height *= Double(factor)
            region.module *= Double(factor)
            return region
        }
    }
}
