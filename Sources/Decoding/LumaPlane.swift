import ReaderProtocol

/// Luma samples that a pass may read as often as it likes: rows without padding, and the map back to the picture's pixels. Either borrowed
/// from a view (and valid while the view is), or owned.
final class LumaPlane {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int
    /// Bytes from one row to the next.
    let rowStride: Int
    /// Maps this plane's pixels to the picture's.
    let map: PlaneMap
    private let owned: UnsafeMutablePointer<UInt8>?

    /// Borrows `view`.
    init(borrowing view: LumaView) {
        pixels = view.base.assumingMemoryBound(to: UInt8.self)
        width = view.size.width
        height = view.size.height
        rowStride = view.rowStride
        map = .identity
        owned = nil
    }

    /// Owned, without padding; `fill` writes all of its samples.
    init(width: Int, height: Int, map: PlaneMap, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(width * height, 1))
        fill(memory)
        self.width = width
        self.height = height
        self.map = map
        rowStride = width
        owned = memory
        pixels = UnsafePointer(memory)
    }

    deinit { owned?.deallocate() }

    var pixelCount: Int { width * height }
    var isContiguous: Bool { rowStride == width }

    func row(_ y: Int) -> UnsafePointer<UInt8> { pixels + y * rowStride }

    /// The same samples without padding between rows.
    func contiguous() -> LumaPlane {
        if isContiguous { return self }
        return LumaPlane(width: width, height: height, map: map) { out in
            for y in 0..<height { (out + y * width).update(from: row(y), count: width) }
        }
    }
}
