import Vocabulary

/// How sharp a picture is: the share of an edge's height that lies between two neighbouring pixels.
///
/// 1: edges go from dark to bright at once. An edge that is blurred by one pixel (the sigma of a Gaussian) has 0.4, by two 0.2. It
/// doesn't depend on contrast or on how many edges there are, so it can be compared while somebody turns a lens.
///
/// Rows and columns are sampled. An edge is a stretch of a line that only rises or only falls, with enough contrast. The figure is that of the
/// better ones, because what is nearer or farther than the code is always blurred.
enum EdgeSharpness {
    /// Differences below this are noise.
    static let leastContrast = 32
    /// Fewer edges say nothing.
    static let leastEdges = 40
    static let lines = 64
    /// This share of the edges is as sharp as the figure, or sharper.
    static let better = 0.25
    private static let bins = 256

    /// The sharpness of the part `region` of a plane whose rows have `width` pixels; `nil` without edges.
    static func of(_ plane: UnsafePointer<UInt8>, width: Int, region: PixelRect) -> Double? {
        var histogram = [Int](repeating: 0, count: bins + 1)
        var edges = 0
        func look(from start: Int, step: Int, count: Int) {
            var last = Int(plane[start])
            var (height, steepest) = (0, 0)
            for position in 1...max(1, count) {
                // Past the end of the line the stretch ends, too.
                let pixel = position < count ? Int(plane[start + position * step]) : last
                let rise = pixel - last
                last = pixel
                if rise != 0, (rise > 0) == (height > 0) || height == 0 {
                    height += rise
                    steepest = max(steepest, abs(rise))
                    continue
                }
                if abs(height) >= leastContrast {
                    histogram[steepest * bins / abs(height)] += 1
                    edges += 1
                }
                (height, steepest) = (rise, abs(rise))
            }
        }
        let (rows, columns) = (min(lines, region.height), min(lines, region.width))
        for row in 0..<rows {
            let y = region.y + row * region.height / rows
            look(from: y * width + region.x, step: 1, count: region.width)
        }
        for column in 0..<columns {
            let x = region.x + column * region.width / columns
            look(from: region.y * width + x, step: width, count: region.height)
        }
        guard edges >= leastEdges else { return nil }
        var left = Int(Double(edges) * better)
        for bin in stride(from: bins, through: 0, by: -1) {
            left -= histogram[bin]
            if left <= 0 { return Double(bin) / Double(bins) }
        }
        return 0
    }
}
