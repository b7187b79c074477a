import Vocabulary

/// Luma samples in memory that someone else owns; the owner decides how long they are valid.
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
