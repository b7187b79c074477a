/// How far a profile strays from its fit, place by place. Where glare or a fold has taken the contrast, light strays less, too: one figure for
/// the whole code would make a character there look like guesswork, and one that is washed out look certain.
struct LocalNoise {
    /// Residuals as they are.
    private let plain: Measure
    /// What each residual adds to the one before it, where neighbours are alike: light is more uneven than the fit can follow, and what is off by little
    /// everywhere says nothing about characters. `nil`: they aren't.
    private let steps: Measure?

    private static let mostCorrelation: Float = 0.6
    /// What steps say counts for this much of it. Of 18,000 drawn EAN and UPC, two that were wrong had log-likelihood ratios of 13 and 15 by it, and photos
    /// in uneven light that were right hundreds.
    private static let worthOfSteps: Float = 0.2

    init(_ fit: ProfileFit) {
        plain = Measure(fit, correlation: 0)
        let correlation = fit.residuals.correlation
        steps = correlation > Self.mostCorrelation ? Measure(fit, correlation: correlation) : nil
    }

    /// How much likelier `fit` is than `rival`, as a logarithm.
    func logRatio(_ fit: ProfileFit, over rival: ProfileFit) -> Float {
        let ratio = plain.logRatio(fit, over: rival)
        return steps.map { max(ratio, Self.worthOfSteps * $0.logRatio(fit, over: rival)) } ?? ratio
    }
}

/// A likelihood of residuals.
private struct Measure {
    /// The part of a residual that its neighbour explains.
    private let correlation: Float
    /// One over twice the variance, for each sample of the fit.
    private let precisions: [Float]
    /// Part of the samples that are independent.
    private let independence: Float

    /// Modules on each side over which the variance is taken, and the least part of the whole code's that it may be.
    private static let reach: Float = 10
    private static let leastPart: Float = 0.35

    init(_ fit: ProfileFit, correlation: Float) {
        self.correlation = correlation
        let weights = fit.profile.weights[fit.range]
        let residuals = fit.residuals.whitened(correlation)
        var sums: [SIMD2<Float>] = [.zero]
        sums.reserveCapacity(weights.count + 1)
        for (weight, residual) in zip(weights, residuals) {
            sums.append(sums[sums.count - 1] + SIMD2(weight * residual * residual, weight))
        }
        let count = residuals.count
        let modules =
            fit.module(fit.profile.places[fit.range.upperBound - 1])
            - fit.module(fit.profile.places[fit.range.lowerBound])
        let reach = max(8, Int(Self.reach * Float(count) / max(modules, 1)))
        let noise = correlation > 0 ? sums[count].x / max(sums[count].y, 1) : fit.noise
        let least = max(noise * Self.leastPart, 0.1)
        precisions = (0..<count).map { index in
            let sum = sums[min(count, index + reach + 1)] - sums[max(0, index - reach)]
            return 0.5 / max(sum.x / max(sum.y, 1e-3), least)
        }
        independence = residuals.independence
    }

    func logRatio(_ fit: ProfileFit, over rival: ProfileFit) -> Float {
        let (own, other) = (fit.residuals.whitened(correlation), rival.residuals.whitened(correlation))
        var sum: Float = 0
        for (index, weight) in fit.profile.weights[fit.range].enumerated() {
            sum += weight * precisions[index] * (other[index] * other[index] - own[index] * own[index])
        }
        return sum * independence
    }
}

extension [Float] {
    /// What each adds to the one before it, of which it repeats `correlation`.
    fileprivate func whitened(_ correlation: Float) -> [Float] {
        correlation > 0 ? indices.map { $0 > 0 ? self[$0] - correlation * self[$0 - 1] : 0 } : self
    }

    /// Of neighbours: 0 to 0.95.
    fileprivate var correlation: Float {
        var (products, squares): (Float, Float) = (0, 1e-6)
        for index in 1..<Swift.max(count, 2) where index < count {
            products += self[index] * self[index - 1]
            squares += self[index] * self[index]
        }
        return Swift.min(Swift.max(products / squares, 0), 0.95)
    }

    /// Part of the samples that count as independent of each other: what a fit gets wrong, it gets wrong for neighbours alike.
    var independence: Float {
        let correlation = correlation
        return (1 - correlation) / (1 + correlation)
    }
}
