import Vocabulary

/// An affine map from the pixels of a derived plane to those of the picture it was derived from.
struct PlaneMap {
    // x' = xx·x + xy·y + x0, y' = yx·x + yy·y + y0; pixel centres lie at .5.
    var xx = 1.0
    var xy = 0.0
    var x0 = 0.0
    var yx = 0.0
    var yy = 1.0
    var y0 = 0.0

    static let identity = PlaneMap()

    static func scaled(_ x: Double, _ y: Double) -> PlaneMap { PlaneMap(xx: x, yy: y) }

    static func moved(_ x: Double, _ y: Double) -> PlaneMap { PlaneMap(x0: x, y0: y) }

    func callAsFunction(_ x: Double, _ y: Double) -> Point {
        Point(x: xx * x + xy * y + x0, y: yx * x + yy * y + y0)
    }

    /// Applies `inner` first, then this map.
    func after(_ inner: PlaneMap) -> PlaneMap {
        PlaneMap(
            xx: xx * inner.xx + xy * inner.yx, xy: xx * inner.xy + xy * inner.yy,
            x0: xx * inner.x0 + xy * inner.y0 + x0, yx: yx * inner.xx + yy * inner.yx,
            yy: yx * inner.xy + yy * inner.yy, y0: yx * inner.x0 + yy * inner.y0 + y0)
    }
}
