import CLocator

extension LumaPlane {
    /// Bilinear samples along a line; beyond an edge, its samples are repeated. `x`, `y`: the first place, pixel centres lie at .5; it and the
    /// last one lie within 32767 pixels.
    func sample(x: Float, y: Float, stepX: Float, stepY: Float, into samples: UnsafeMutableBufferPointer<Int16>) {
        func fixed(_ value: Float) -> Int32 { Int32((value * 65536).rounded()) }
        var walk = CLocator_Walk(x: fixed(x), y: fixed(y), step_x: fixed(stepX), step_y: fixed(stepY))
        CLocator_line(
            pixels, Int32(width), Int32(height), rowStride, &walk, samples.baseAddress, Int32(samples.count))
    }
}
