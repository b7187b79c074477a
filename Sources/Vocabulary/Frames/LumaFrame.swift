/// One luma plane in memory that belongs to the camera. Valid only during the call that hands it over.
package struct LumaFrame {
    /// First luma byte of the first row.
    package var base: UnsafeRawPointer
    package var size: FrameSize
    /// Bytes from one row to the next; at least `size.width * pixelStride`.
    package var rowStride: Int
    /// Bytes from one luma sample to the next: 1 for planar formats, 2 for YUYV.
    package var pixelStride: Int
    package var info: FrameInfo

    package init(base: UnsafeRawPointer, size: FrameSize, rowStride: Int, pixelStride: Int = 1, info: FrameInfo) {
        self.base = base
        self.size = size
        self.rowStride = rowStride
        self.pixelStride = pixelStride
        self.info = info
    }
}

/// Where a camera's frames go. Called on the camera's own thread; must copy what it needs and return at once.
package protocol FrameSink: Sendable {
    func receive(_ frame: LumaFrame)
}
