/// Figures as they are measured, each beside its limit.
final class FigureReport {
    private(set) var isGood = true

    func add(_ name: String, _ value: Double, _ unit: String, limit: Double) {
        let ratio = value / limit
        // What is no number isn't within its limit.
        let holds = ratio <= 1
        if !holds { isGood = false }
        print(
            "\(holds ? "ok  " : "OVER")  \(name): \(text(value)) \(unit)  (limit \(text(limit)), ratio \(text(ratio)))"
        )
    }

    private func text(_ value: Double) -> String {
        let scaled = (value * 1000).rounded() / 1000
        return scaled.description
    }
}

extension [Double] {
    var median: Double { quantile(0.5) }

    /// The value below which `share` of the values lie; 0 for none.
    func quantile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Swift.min(count - 1, Int((Double(count) * share).rounded(.down)))]
    }
}
