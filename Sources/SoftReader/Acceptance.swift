/// When bars that were fitted to a profile are a code. The figures come from the benchmark (`scanstation-bench soft-reader`): wrong
/// acceptances over the margin, with the check digit switched off.
package struct Acceptance: Sendable {
    /// Logarithm of a likelihood ratio.
    package var leastMargin: Float = 8
    /// The same where no check digit or character vouches for what the bars say. Of 2,000 cut Code 39 of less than 1.2 pixels a module, two were read as
    /// shorter ones, with margins of 21 and 25.
    package var leastUncheckedMargin: Float = 28
    /// The same for Interleaved 2 of 5, of which every second pair of bars may be a start. Of 2,000 covered ones, one was read as an ITF-14 with a margin
    /// of 19, beside those that nobody can tell from one.
    package var leastInterleavedMargin: Float = 20
    /// Part of the profile's variance that the code must explain.
    package var leastExplained: Float = 0.88
    /// Whether check digit and parity pattern, or check character, must be right. Off only to measure what the margin alone is worth.
    package var needsCheck = true
    /// Whether a quiet zone must be seen; on both sides, where nothing else tells that the code is whole.
    package var needsQuiet = true

    package init() {}

    /// - Returns: the margin that what is in the bars must have, with the check that it has.
    func leastMargin(of content: BarContent) -> Float {
        if !content.hasCheck { return leastUncheckedMargin }
        return content.symbology == .itf ? leastInterleavedMargin : leastMargin
    }
}
