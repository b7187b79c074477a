/// Steele, Lea and Flood's SplitMix64 ("Fast splittable pseudorandom number generators", 2014): small, and the same on every machine: a seed
/// gives the same picture, or the same waits. Nothing secret may come from it.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 up to 1, which it never is.
    package mutating func nextUnit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
