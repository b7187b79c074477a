import Vocabulary

/// Luma samples in memory that someone else owns; valid for as long as the owner says.
package struct LumaView {
    package var base: UnsafeRawPointer
    package var size: FrameSize
    /// Bytes from one row to the next, at least `size.width`.
    package var rowStride: Int

    package init(base: UnsafeRawPointer, size: FrameSize, rowStride: Int) {
        self.base = base
        self.size = size
        self.rowStride = rowStride
    }
}
