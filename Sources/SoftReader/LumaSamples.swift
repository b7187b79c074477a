/// Borrowed luma samples, 0 to 255, one byte each: whoever makes them keeps `pixels` valid as long as they are used. Positions are in pixels;
/// the centre of the first pixel is (0.5, 0.5).
package struct LumaSamples {
    package let pixels: UnsafePointer<UInt8>
    package let width: Int
    package let height: Int
    /// Bytes from one row to the next, at least `width`. It isn't checked.
    package let rowStride: Int

    package init(pixels: UnsafePointer<UInt8>, width: Int, height: Int, rowStride: Int) {
        self.pixels = pixels
        self.width = width
        self.height = height
        self.rowStride = rowStride
    }
}
