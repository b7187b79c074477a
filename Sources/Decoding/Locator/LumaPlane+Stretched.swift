/// For pictures that show too little contrast for the locator.
extension LumaPlane {
    /// With a wider range of levels, a picture has contrast enough; with a narrower one, it shows nothing but noise.
    private static let stretchable = 8...110

    /// A copy in which the 5th percentile becomes 20 and the 95th 220; unchanged if the contrast isn't `stretchable`.
    func stretched() -> LumaPlane {
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
