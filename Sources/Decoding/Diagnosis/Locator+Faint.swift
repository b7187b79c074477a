import ReaderProtocol
import Vocabulary

extension Locator {
    /// The locator looks at differences of neighbouring pixels: what is out of focus shows its edges on a copy of so many times fewer pixels.
    private static let reduction = 3
    /// A larger picture has edges enough.
    private static let mostPixels = 24_000_000

    /// Codes that are out of focus, or in so little light that they drown in noise. In pixels of `luma`.
    func faintRegions(of luma: LumaView) -> [LocatedRegion] {
        let factor = Self.reduction
        guard min(luma.size.width, luma.size.height) / factor >= LumaPlane.shortestSide,
            luma.size.width * luma.size.height <= Self.mostPixels,
            max(luma.size.width, luma.size.height) <= Self.mostSide
        else { return [] }
        let small = LumaPlane(borrowing: luma).reduced(by: factor).stretched()
        return regions(of: small).map { region in
            var region = region
            region.centre = Point(x: region.centre.x * Double(factor), y: region.centre.y * Double(factor))
            region.length *= Double(factor)
            region.height *= Double(factor)
            region.module *= Double(factor)
            return region
        }
    }
}

extension LumaPlane {
    /// With a wider range of levels, a picture has contrast enough; with a narrower one, it shows nothing but noise.
    private static let stretchable = 8...110

    /// A copy whose levels reach from 0 to 255, if they didn't by far.
    fileprivate func stretched() -> LumaPlane {
        var samples: [Int16] = []
        for y in stride(from: 0, to: height, by: 4) {
            let line = row(y)
            for x in stride(from: y / 4 % 4, to: width, by: 4) { samples.append(Int16(line[x])) }
        }
        let levels = LightFigures(samples)
        guard Self.stretchable.contains(levels.contrast) else { return self }
        let (dark, contrast) = (levels.dark, levels.contrast)
        let table = (0...255).map { UInt8(min(max(($0 - dark) * 200 / contrast + 20, 0), 255)) }
        return LumaPlane(width: width, height: height, map: map) { out in
            for y in 0..<height {
                let line = row(y)
                for x in 0..<width { out[y * width + x] = table[Int(line[x])] }
            }
        }
    }
}
