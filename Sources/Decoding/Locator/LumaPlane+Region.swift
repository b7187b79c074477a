import Glibc

/// A region cut out and turned upright.
extension LumaPlane {
    /// Modules of quiet zone to keep at each end.
    static let quietModules = 12.0
    /// Copies of narrower modules, in pixels, are enlarged twice; of modules of less than a third of it, three times.
    static let readableModule = 3.0
    static let mostRegionEnlargement = 3.0
    /// More rows of bars show the same again.
    static let mostBarRows = 96
    /// The widest copy of a region.
    static let mostRegionWidth = 2600

    /// A copy of a region in which `direction` is level: bars stand upright. With its quiet zones; white beyond the plane. Bars are enlarged only
    /// across, and of high ones only some rows are taken. `nil` if the region is too small.
    ///
    /// - Parameter enlarges: so that a module has about two pixels.
    func rectified(_ region: LocatedRegion, enlarges: Bool = true) -> LumaPlane? {
        let isBars = region.kind == .bars
        let quiet = quietZone(of: region)
        let sides = isBars ? 0 : quiet
        // Whole factors: others blur some bars more than others.
        let factor: Double =
            !enlarges || region.module <= 0 || region.module >= Self.readableModule
            ? 1 : region.module >= Self.readableModule / 3 ? 2 : Self.mostRegionEnlargement
        let length = region.length + 2 * quiet
        let height = region.height + 2 * sides
        let stepX = max(1 / factor, length / Double(Self.mostRegionWidth))
        let stepY = isBars ? max(1, height / Double(Self.mostBarRows)) : stepX
        let newWidth = Int(length / stepX)
        let newHeight = Int(height / stepY)
        guard newWidth >= Self.shortestSide, newHeight >= 1 else { return nil }
        let (c, s) = (cos(region.direction), sin(region.direction))
        let inner = PlaneMap(
            xx: c * stepX, xy: -s * stepY, x0: region.centre.x - (c * length - s * height) / 2,
            yx: s * stepX, yy: c * stepY, y0: region.centre.y - (s * length + c * height) / 2)
        return warped(inner, width: newWidth, height: newHeight)
    }

    /// In pixels, at each end of bars and on every side of the rest. A texture's module isn't known, and its cells may leave out a corner.
    private func quietZone(of region: LocatedRegion) -> Double {
        region.module > 0
            ? max(region.module * Self.quietModules, 8)
            : max(max(region.length, region.height) * Self.textureMargin, 12)
    }

    private static let textureMargin = 0.12
}
