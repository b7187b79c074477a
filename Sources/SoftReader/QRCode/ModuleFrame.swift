/// How modules lie around a place of a picture, where the code is flat enough: place = centre + column * u + row * v.
struct ModuleFrame {
    /// In pixels.
    let centre: Place
    /// One module to the right, and one down, in pixels.
    let column: Place
    let row: Place

    private var determinant: Float { column.x * row.y - column.y * row.x }

    /// Where a place of the picture lies, in modules from the centre.
    func modules(to place: Place) -> Place {
        let offset = place - centre
        let scale = 1 / determinant
        return Place(offset.x * row.y - offset.y * row.x, offset.y * column.x - offset.x * column.y) * scale
    }

    func place(_ modules: Place) -> Place { centre + column * modules.x + row * modules.y }

    /// The same modules, a quarter turn on: what was down is right.
    var turned: ModuleFrame { ModuleFrame(centre: centre, column: row, row: -column) }

    /// Pixels a module, on average.
    var module: Float { abs(determinant).squareRoot() }
}

extension SIMD2<Float> {
    var length: Float { (x * x + y * y).squareRoot() }
    func dot(_ other: Self) -> Float { x * other.x + y * other.y }
    func cross(_ other: Self) -> Float { x * other.y - y * other.x }
}
