/// How far a profile strays from its fit, place by place. Where glare or a fold has taken the contrast, light strays less, too: one figure for
/// the whole code would make a character there look like guesswork, and one that is washed out look certain.
struct LocalNoise {
    /// One over twice the variance, for each sample of the fit.
    private let precisions: [Float]
    /// Part of the samples that are independent.
    private let independence: Float

    /// Modules on each side over which the variance is taken, and the least part of the whole code's that it may be.
    private static let reach: Float = 10
    private static let leastPart: Float = 0.35

    init(_ fit: ProfileFit) {
        let weights = fit.profile.weights[fit.range]
        var sums: [SIMD2<Float>] = [.zero]
        sums.reserveCapacity(weights.count + 1)
        for (weight, residual) in zip(weights, fit.residuals) {
            sums.append(sums[sums.count - 1] + SIMD2(weight * residual * residual, weight))
        }
        let count = fit.residuals.count
        let modules =
            fit.module(fit.profile.places[fit.range.upperBound - 1])
            - fit.module(fit.profile.places[fit.range.lowerBound])
        let reach = max(8, Int(Self.reach * Float(count) / max(modules, 1)))
        let least = max(fit.noise * Self.leastPart, 0.1)
        precisions = (0..<count).map { index in
            let sum = sums[min(count, index + reach + 1)] - sums[max(0, index - reach)]
            return 0.5 / max(sum.x / max(sum.y, 1e-3), least)
        }
        independence = fit.independence
    }

    /// How much likelier `fit` is than `rival`, as a logarithm.
    func logRatio(_ fit: ProfileFit, over rival: ProfileFit) -> Float {
        var sum: Float = 0
        for (index, sample) in fit.range.enumerated() {
            let (own, other) = (fit.residuals[index], rival.residuals[index])
            sum += fit.profile.weights[sample] * precisions[index] * (other * other - own * own)
        }
        return sum * independence
    }
}
