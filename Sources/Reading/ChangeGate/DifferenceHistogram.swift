/// Counts differences in quarter steps of luma, for quantiles without sorting.
struct DifferenceHistogram {
    private static let bins = 256
    private var counts = [UInt16](repeating: 0, count: DifferenceHistogram.bins)
    private var total = 0

    /// `difference` is in 1/256 of a step.
    mutating func add(_ difference: Int32) {
        counts[min(Self.bins - 1, Int(difference >> 6))] &+= 1
        total += 1
    }

    var median: Double { quantile(0.5) }

    /// In steps of luma.
    func quantile(_ fraction: Double) -> Double {
        let wanted = Int(Double(total) * fraction)
        var seen = 0
        for (bin, count) in counts.enumerated() {
            seen += Int(count)
            if seen > wanted { return (Double(bin) + 0.5) / 4 }
        }
        return 0
    }
}
