import Glibc
import Vocabulary

/// A region cut out for a decoder.
extension LumaPlane {
    /// Modules of quiet zone to keep at each end of bars.
    private static let quietModules = 12.0
    /// Copies of bars with narrower modules, in pixels, are enlarged twice; of modules of less than a third of it, three times.
    private static let readableModule = 3.0
    private static let mostRegionEnlargement = 3.0
    /// More rows of bars show the same again.
    static let mostBarRows = 96
    /// The widest copy of a region of bars.
    private static let mostRegionWidth = 2600

    /// A copy of a region with its quiet zones. Bars stand upright in it, are enlarged across, and of high ones only some rows are taken; beyond
    /// the plane it is white. Any other region is cut out pixel for pixel, unturned: decoders turn matrix codes themselves, and samples between
    /// pixels blur them. `nil` if the region is too small.
    ///
    /// - Parameter enlarges: so that bars have two pixels or more for a module.
    func rectified(_ region: LocatedRegion, enlarges: Bool = true) -> LumaPlane? {
        region.kind == .bars ? upright(region, enlarges: enlarges) : cutOut(region)
    }

    private func upright(_ region: LocatedRegion, enlarges: Bool) -> LumaPlane? {
        // Whole factors: others blur some bars more than others.
        let factor: Double =
            !enlarges || region.module >= Self.readableModule
            ? 1 : region.module >= Self.readableModule / 3 ? 2 : Self.mostRegionEnlargement
        let length = region.length + 2 * max(region.module * Self.quietModules, 8)
        let stepX = max(1 / factor, length / Double(Self.mostRegionWidth))
        let stepY = max(1, region.height / Double(Self.mostBarRows))
        let newWidth = Int(length / stepX)
        let newHeight = Int(region.height / stepY)
        guard newWidth >= Self.shortestSide, newHeight >= 1 else { return nil }
        let (c, s) = (cos(region.direction), sin(region.direction))
        let inner = PlaneMap(
            xx: c * stepX, xy: -s * stepY, x0: region.centre.x - (c * length - s * region.height) / 2,
            yx: s * stepX, yy: c * stepY, y0: region.centre.y - (s * length + c * region.height) / 2)
        return warped(inner, width: newWidth, height: newHeight)
    }

    /// The whole region with its quiet zones, unturned.
    func cutOut(_ region: LocatedRegion) -> LumaPlane? { cutOut(region.boundsWithQuietZones) }

    /// A code's place, unturned.
    /// - Parameter margin: what to keep around it, as a part of its longer side.
    func cutOut(around corners: Quad, margin: Double) -> LumaPlane? {
        let bounds = corners.bounds
        let edge = margin * max(bounds.width, bounds.height) + 8
        return cutOut(
            Rect(
                x: bounds.x - edge, y: bounds.y - edge, width: bounds.width + 2 * edge,
                height: bounds.height + 2 * edge))
    }

    private func cutOut(_ bounds: Rect) -> LumaPlane? {
        let (left, top) = (max(0, Int(bounds.x)), max(0, Int(bounds.y)))
        let (right, bottom) = (min(width, Int(bounds.x + bounds.width)), min(height, Int(bounds.y + bounds.height)))
        guard right - left >= Self.shortestSide, bottom - top >= Self.shortestSide else { return nil }
        return cropped(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension LocatedRegion {
    /// Modules of quiet zone to keep on every side of a matrix code.
    private static let quietModules = 8.0
    /// A texture's module isn't known, and its cells may leave out a corner: this fraction of its longer side.
    private static let textureMargin = 0.12

    /// An upright rectangle around it and its quiet zones, in pixels; may reach beyond the picture.
    var boundsWithQuietZones: Rect {
        let margin = module > 0 ? module * Self.quietModules : max(length, height) * Self.textureMargin
        return corners(beyondEnds: margin, beyondSides: margin).bounds
    }

    /// How many times a copy of it is enlarged for small modules; `nil`: not at all, as it is large.
    var magnification: Int? {
        let bounds = boundsWithQuietZones
        return LumaPlane.magnification(ofPixels: Int((bounds.width * bounds.height).rounded(.up)))
    }
}
