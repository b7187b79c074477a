/// When bars that were fitted to a profile are a code. The figures come from the benchmark (`scanstation-bench soft-reader`): wrong
/// acceptances over the margin, with the check digit switched off.
package struct Acceptance: Sendable {
    /// Logarithm of a likelihood ratio. Some families need more (`BarFamily.leastMargin`).
    package var leastMargin: Float = 8
    /// Part of the profile's variance that the code must explain.
    package var leastExplained: Float = 0.88
    /// Whether check digit and parity pattern, or check character, must be right. If it is off, the margin alone must suffice, and neither
    /// `BarFamily.leastMargin` nor `mostMisfitOfEnds` counts.
    package var needsCheck = true
    /// Whether a quiet zone must be seen; on both sides, where nothing else tells that the code is whole.
    package var needsQuiet = true

    package init() {}

    func leastMargin(of family: BarFamily) -> Float { needsCheck ? max(leastMargin, family.leastMargin) : leastMargin }
}
