import Glibc
import Vocabulary

/// A region cut out for a decoder.
struct RegionCopy {
    let region: LocatedRegion
    let picture: LumaPlane

    init(of region: LocatedRegion, from picture: LumaPlane) {
        (self.region, self.picture) = (region, picture)
    }

    /// Modules of quiet zone to keep at each end of bars.
    private static let quietModules = 12.0
    /// Copies of bars with narrower modules, in pixels, are enlarged twice; of modules of less than a third of it, three times.
    private static let readableModule = 3.0
    private static let mostEnlargement = 3.0
    /// More rows of bars show the same again.
    static let mostBarRows = 96
    /// The widest copy of a region of bars.
    private static let mostWidth = 2600

    /// The region with its quiet zones. Bars stand upright in it, are enlarged across, and of high ones only some rows are taken; beyond the
    /// picture it is white. Any other region is cut out pixel for pixel, unturned: decoders turn matrix codes themselves, and samples between
    /// pixels blur them. `nil` if the region is too small.
    func rectified() -> LumaPlane? { region.kind == .bars ? upright() : whole() }

    private func upright() -> LumaPlane? {
        // Whole factors: others blur some bars more than others.
        let factor: Double =
            region.module >= Self.readableModule
            ? 1 : region.module >= Self.readableModule / 3 ? 2 : Self.mostEnlargement
        let length = region.length + 2 * max(region.module * Self.quietModules, 8)
        let stepX = max(1 / factor, length / Double(Self.mostWidth))
        let stepY = max(1, region.height / Double(Self.mostBarRows))
        let newWidth = Int(length / stepX)
        let newHeight = Int(region.height / stepY)
        guard newWidth >= LumaPlane.shortestSide, newHeight >= 1 else { return nil }
        let inner = upright(about: region.centre, length: length, height: region.height, steps: (stepX, stepY))
        return picture.warped(inner, width: newWidth, height: newHeight)
    }

    /// Bars upright, of the size that decoders of stacked codes read best, with what lies around the region: it may hold but a part of the code. `nil` if it is too
    /// small or too large.
    func stacked() -> LumaPlane? {
        guard let frame = StackFrame(of: region) else { return nil }
        let bounds = region.corners(beyondEnds: frame.beyondEnds, beyondSides: frame.beyondSides).bounds
        guard var plane = Self.part(bounds, of: picture) else { return nil }
        if frame.reduction > 1 {
            guard let smaller = ReadPass.Treatment.reduced(frame.reduction).applied(to: plane) else { return nil }
            plane = smaller
        }
        if frame.enlargement > 1 { plane = Lanczos.magnified(plane, x: frame.enlargement, y: frame.enlargement) }
        let (left, top) = (max(0, bounds.x.rounded(.down)), max(0, bounds.y.rounded(.down)))
        let middle = Point(x: (region.centre.x - left) * frame.scale, y: (region.centre.y - top) * frame.scale)
        let (width, height) = (frame.width, frame.height)
        let inner = upright(about: middle, length: width, height: height, steps: (1, 1))
        guard width >= Double(LumaPlane.shortestSide), height >= Double(LumaPlane.shortestSide) else { return nil }
        return plane.warped(inner, width: Int(width), height: Int(height))
    }

    /// Which place of a picture an upright copy shows: a rectangle along the region's direction, in pixels of that picture, taken in steps.
    private func upright(about middle: Point, length: Double, height: Double, steps: (x: Double, y: Double)) -> PlaneMap
    {
        let (c, s) = (cos(region.direction), sin(region.direction))
        return PlaneMap(
            xx: c * steps.x, xy: -s * steps.y, x0: middle.x - (c * length - s * height) / 2,
            yx: s * steps.x, yy: c * steps.y, y0: middle.y - (s * length + c * height) / 2)
    }

    /// The whole region with its quiet zones, unturned.
    func whole() -> LumaPlane? { Self.part(region.boundsWithQuietZones, of: picture) }

    /// The same with more paper around it, as the region's ends and its module may be wrong.
    func wholeAndAround() -> LumaPlane? { Self.part(Self.surroundings(of: region.corners.bounds), of: picture) }

    private static let around = 0.2

    /// With paper around it; may reach beyond the picture.
    static func surroundings(of bounds: Rect, margin: Double = around) -> Rect {
        let edge = margin * max(bounds.width, bounds.height) + 8
        return Rect(
            x: bounds.x - edge, y: bounds.y - edge, width: bounds.width + 2 * edge, height: bounds.height + 2 * edge)
    }

    /// A code's place, unturned.
    /// - Parameter margin: what to keep around it, as a part of its longer side.
    static func place(of corners: Quad, margin: Double, in picture: LumaPlane) -> LumaPlane? {
        part(surroundings(of: corners.bounds, margin: margin), of: picture)
    }

    private static func part(_ bounds: Rect, of picture: LumaPlane) -> LumaPlane? {
        let (left, top) = (max(0, Int(bounds.x)), max(0, Int(bounds.y)))
        let (right, bottom) = (
            min(picture.width, Int(bounds.x + bounds.width)), min(picture.height, Int(bounds.y + bounds.height))
        )
        guard right - left >= LumaPlane.shortestSide, bottom - top >= LumaPlane.shortestSide else { return nil }
        return picture.cropped(x: left, y: top, width: right - left, height: bottom - top)
    }
}

extension LocatedRegion {
    /// Modules of quiet zone to keep on every side of a matrix code.
    private static let quietModules = 8.0
    /// A texture's module isn't known, and its cells may leave out a corner: this fraction of its longer side.
    private static let textureMargin = 0.12

    /// An upright rectangle around it and its quiet zones, in pixels; may reach beyond the picture.
    fileprivate var boundsWithQuietZones: Rect {
        let margin = module > 0 ? module * Self.quietModules : max(length, height) * Self.textureMargin
        return corners(beyondEnds: margin, beyondSides: margin).bounds
    }

    /// How many times a copy of it is enlarged for small modules; `nil`: not at all, as it is large.
    var magnification: Int? {
        ReadPass.Treatment.magnification(ofPixels: Int(areaWithQuietZones.rounded(.up)))
    }

    /// In pixels, of a copy of it.
    var areaWithQuietZones: Double {
        let bounds = boundsWithQuietZones
        return bounds.width * bounds.height
    }
}
