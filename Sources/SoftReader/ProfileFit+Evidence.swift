/// How good a fit is.
extension ProfileFit {
    /// Variance of the residuals, in squared light; never less than that of luma's rounding.
    var noise: Float { max(squares / max(weight, 1), 0.1) }

    /// Part of the samples that count as independent of each other: what a fit gets wrong, it gets wrong for neighbours alike.
    var independence: Float {
        var (products, squares): (Float, Float) = (0, 1e-6)
        for index in 1..<max(residuals.count, 2) where index < residuals.count {
            products += residuals[index] * residuals[index - 1]
            squares += residuals[index] * residuals[index]
        }
        let correlation = min(max(products / squares, 0), 0.95)
        return (1 - correlation) / (1 + correlation)
    }

    /// Part of the variance of the samples that is explained.
    var explained: Float {
        var (sum, square): (Float, Float) = (0, 0)
        for index in range {
            let weight = profile.weights[index]
            sum += weight * profile.light[index]
            square += weight * profile.light[index] * profile.light[index]
        }
        let total = square - sum * sum / max(weight, 1)
        return total > 0 ? 1 - squares / total : 0
    }

    /// Modules beside the code that must be paper; standards want 7 and more.
    private static let quiet: Float = 5
    /// The first module beside a blurred bar is grey.
    private static let blurred: Float = 1
    /// How far from paper it may be, on average, as a part of the contrast.
    private static let unevenness: Float = 0.2

    /// Whether there is paper beside the code.
    var quietZones: (left: Bool, right: Bool) {
        let end = Float(layout.moduleCount)
        return (
            isPaper(from: -Self.quiet - Self.blurred, to: -Self.blurred, like: 0),
            isPaper(from: end + Self.blurred, to: end + Self.blurred + Self.quiet, like: end)
        )
    }

    private func isPaper(from: Float, to: Float, like edge: Float) -> Bool {
        let place = place(ofModule: edge)
        let (paper, contrast) = (paper(place), contrast(place))
        // Straight on from the edge: a cubic isn't to be trusted beyond its samples.
        let width = length / (2 * geometry[1])
        var (sum, count): (Float, Float) = (0, 0)
        var (low, high) = (Float.infinity, -Float.infinity)
        for index in profile.places.indices {
            let module = edge + (profile.places[index] - place) / width
            guard module >= from, module <= to else { continue }
            sum += abs(profile.light[index] - paper)
            count += 1
            (low, high) = (min(low, module), max(high, module))
        }
        return count >= 3 && high - low > 0.8 * (to - from) && sum / count < Self.unevenness * contrast
    }
}
