extension LumaPlane {
    /// Bilinear samples along a line, in 16.16 fixed point; beyond an edge, its samples are repeated. `x`, `y`: the first place, pixel centres
    /// lie at .5.
    func sample(x: Float, y: Float, stepX: Float, stepY: Float, into samples: UnsafeMutableBufferPointer<Int16>) {
        let fixedStepX = Int((stepX * 65536).rounded())
        let fixedStepY = Int((stepY * 65536).rounded())
        var fixedX = Int(((x - 0.5) * 65536).rounded())
        var fixedY = Int(((y - 0.5) * 65536).rounded())
        let (right, bottom) = ((width - 1) << 16, (height - 1) << 16)
        for index in 0..<samples.count {
            let (atX, atY) = (min(max(fixedX, 0), right), min(max(fixedY, 0), bottom))
            let upper = pixels + ((atY >> 16) &* rowStride &+ (atX >> 16))
            let next = atX < right ? 1 : 0
            let lower = atY < bottom ? upper + rowStride : upper
            let (fx, fy) = ((atX >> 8) & 0xff, (atY >> 8) & 0xff)
            let above = Int(upper[0]) &* (256 &- fx) &+ Int(upper[next]) &* fx
            let below = Int(lower[0]) &* (256 &- fx) &+ Int(lower[next]) &* fx
            samples[index] = Int16(truncatingIfNeeded: (above &* (256 &- fy) &+ below &* fy &+ 32768) >> 16)
            fixedX &+= fixedStepX
            fixedY &+= fixedStepY
        }
    }
}
