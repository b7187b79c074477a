/// How light and dark some samples are.
struct LightFigures {
    /// The fifth and the 95th percentile, 0…255.
    let dark: Int
    let light: Int
    /// The part that is as light as the sensor can say, 0…1.
    let saturated: Double

    /// Luma from here on is saturated: cameras clip, and JPEG wobbles.
    static let saturation: Int16 = 246

    var contrast: Int { light - dark }

    init(_ samples: some Sequence<Int16>) {
        var counts = [Int](repeating: 0, count: 256)
        var (total, clipped) = (0, 0)
        for sample in samples {
            counts[Int(min(max(sample, 0), 255))] += 1
            total += 1
            if sample >= Self.saturation { clipped += 1 }
        }
        func level(at part: Double) -> Int {
            var seen = 0
            for (level, count) in counts.enumerated() {
                seen += count
                if Double(seen) >= part * Double(total), seen > 0 { return level }
            }
            return 0
        }
        dark = level(at: 0.05)
        light = level(at: 0.95)
        saturated = total > 0 ? Double(clipped) / Double(total) : 0
    }
}
