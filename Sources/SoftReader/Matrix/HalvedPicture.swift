/// A copy of half the size: each pixel the mean of four.
struct HalvedPicture {
    let width: Int
    let height: Int
    private let pixels: [UInt8]

    init(_ samples: LumaSamples) {
        let (width, height) = (samples.width / 2, samples.height / 2)
        (self.width, self.height) = (width, height)
        pixels = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            for row in 0..<height {
                let top = samples.pixels + 2 * row * samples.rowStride
                let bottom = top + samples.rowStride
                for column in 0..<width {
                    let (left, right) = (2 * column, 2 * column + 1)
                    let sum = Int(top[left]) + Int(top[right]) + Int(bottom[left]) + Int(bottom[right])
                    buffer[row * width + column] = UInt8((sum + 2) / 4)
                }
            }
            count = width * height
        }
    }

    /// Calls `body`, unless there is no pixel.
    func withSamples(_ body: (LumaSamples) -> Void) {
        pixels.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            body(LumaSamples(pixels: start, width: width, height: height, rowStride: width))
        }
    }
}

extension LumaSamples {
    /// Calls `body` for the picture, for a copy of half its size, and so on: up to `levels` times, as long as both sides have `shortestSide` pixels.
    /// - Parameter body: is also told how many pixels of the picture go to one of the copy; the samples are valid until it returns.
    func forEachHalving(
        levels: Int, shortestSide: Int, scale: Int = 1, _ body: (_ samples: LumaSamples, _ scale: Int) -> Void
    ) {
        guard levels > 0, min(width, height) >= shortestSide else { return }
        body(self, scale)
        guard levels > 1 else { return }
        HalvedPicture(self).withSamples {
            $0.forEachHalving(levels: levels - 1, shortestSide: shortestSide, scale: 2 * scale, body)
        }
    }
}
