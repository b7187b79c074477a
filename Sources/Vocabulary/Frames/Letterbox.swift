/// Puts a picture in the middle of a frame: area-averaged when it must shrink, as a sensor would see it; otherwise pixel for pixel.
package enum Letterbox {
    /// What surrounds a picture that doesn't fill the frame: nearly white, as a quiet zone should be.
    package static let ground: UInt8 = 235

    /// Draws all of `output`, which has the frame's pixels; draws nothing if a size or a buffer is empty.
    package static func fit(
        _ source: UnsafeBufferPointer<UInt8>, size: FrameSize, into frame: FrameSize,
        _ output: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard size.width > 0, size.height > 0, frame.width > 0, frame.height > 0,
            source.count >= size.width * size.height, output.count >= frame.width * frame.height,
            let pixels = source.baseAddress, let base = output.baseAddress
        else { return }
        let inner = innerSize(of: size, in: frame)
        let left = (frame.width - inner.width) / 2
        let top = (frame.height - inner.height) / 2
        output.update(repeating: ground)
        let target = base + top * frame.width + left
        if inner == size {
            for y in 0..<size.height {
                (target + y * frame.width).update(from: pixels + y * size.width, count: size.width)
            }
        } else {
            shrink(pixels, size, to: inner, target, rowStride: frame.width)
        }
    }

    /// The largest size of the same shape that fits and isn't larger than the picture.
    package static func innerSize(of size: FrameSize, in frame: FrameSize) -> FrameSize {
        if size.width <= frame.width, size.height <= frame.height { return size }
        if size.width * frame.height > size.height * frame.width {
            return FrameSize(width: frame.width, height: max(1, size.height * frame.width / size.width))
        }
        return FrameSize(width: max(1, size.width * frame.height / size.height), height: frame.height)
    }

    /// Each target pixel is the mean of the source pixels that it covers, whole pixels only.
    private static func shrink(
        _ source: UnsafePointer<UInt8>, _ size: FrameSize, to inner: FrameSize, _ target: UnsafeMutablePointer<UInt8>,
        rowStride: Int
    ) {
        let edges = (0...inner.width).map { $0 * size.width / inner.width }
        var sums = [UInt32](repeating: 0, count: inner.width)
        edges.withUnsafeBufferPointer { edges in
            sums.withUnsafeMutableBufferPointer { sums in
                for y in 0..<inner.height {
                    let firstRow = y * size.height / inner.height
                    let endRow = max(firstRow + 1, (y + 1) * size.height / inner.height)
                    sums.update(repeating: 0)
                    for row in firstRow..<endRow {
                        let line = source + row * size.width
                        for x in 0..<inner.width {
                            var sum: UInt32 = 0
                            var column = edges[x]
                            let end = edges[x + 1]
                            while column < end {
                                sum &+= UInt32(line[column])
                                column &+= 1
                            }
                            sums[x] &+= sum
                        }
                    }
                    let rows = UInt32(endRow - firstRow)
                    for x in 0..<inner.width {
                        let area = rows &* UInt32(max(1, edges[x + 1] - edges[x]))
                        target[y * rowStride + x] = UInt8(truncatingIfNeeded: min(255, sums[x] / area))
                    }
                }
            }
        }
    }
}
