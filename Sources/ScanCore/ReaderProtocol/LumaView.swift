/// Luma samples in memory that someone else owns; valid as long as that owner says.
public struct LumaView {
    public var base: UnsafeRawPointer
    public var size: FrameSize
    /// Bytes from one row to the next, at least `size.width`.
    public var rowStride: Int

    public init(base: UnsafeRawPointer, size: FrameSize, rowStride: Int) {
        self.base = base
        self.size = size
        self.rowStride = rowStride
    }
}
