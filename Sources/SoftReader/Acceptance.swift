/// When bars that were fitted to a profile are a code. The figures come from the benchmark (`scanstation-bench soft-reader`): wrong
/// acceptances over the margin, with the check digit switched off.
package struct Acceptance: Sendable {
    /// Logarithm of a likelihood ratio.
    package var leastMargin: Float = 8
    /// The same where no check digit or character vouches for what the bars say.
    package var leastUncheckedMargin: Float = 12
    /// Part of the profile's variance that the code must explain.
    package var leastExplained: Float = 0.88
    /// Whether check digit and parity pattern, or check character, must be right. Off only to measure what the margin alone is worth.
    package var needsCheck = true
    /// Whether a quiet zone must be seen; on both sides, where nothing else tells that the code is whole.
    package var needsQuiet = true

    package init() {}
}
