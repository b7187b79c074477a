import Vocabulary

/// Places in a picture, in pixels; the centre of the first pixel is (0.5, 0.5). Or places in a code, in modules from its top left corner.
typealias Place = SIMD2<Float>

extension LumaSamples {
    /// The light at a place, 0 to 255, between four pixels; beyond the picture it is that of its nearest pixel.
    func light(at place: Place) -> Float {
        // In this order, what isn't a number becomes 0.
        let x = min(Float(width - 1), max(0, place.x - 0.5))
        let y = min(Float(height - 1), max(0, place.y - 0.5))
        let (column, row) = (min(Int(x), max(0, width - 2)), min(Int(y), max(0, height - 2)))
        let (right, below) = (width > 1 ? 1 : 0, height > 1 ? rowStride : 0)
        let first = pixels + row * rowStride + column
        let (fractionX, fractionY) = (x - Float(column), y - Float(row))
        let top = Float(first[0]) + fractionX * (Float(first[right]) - Float(first[0]))
        let bottom = Float(first[below]) + fractionX * (Float(first[below + right]) - Float(first[below]))
        return top + fractionY * (bottom - top)
    }

    /// Whether a place is in the picture.
    func holds(_ place: Place) -> Bool {
        place.x >= 0 && place.y >= 0 && place.x <= Float(width) && place.y <= Float(height)
    }
}

extension Place {
    func point(times scale: Double) -> Point { Point(x: Double(x) * scale, y: Double(y) * scale) }
}
