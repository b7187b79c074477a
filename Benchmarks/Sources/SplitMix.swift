import Foundation
import TestSupport

/// By the algorithm's name: its numbers make the benchmarks' pictures, and a seed that is published must give the same ones for ever.
typealias SplitMix = SeededGenerator

extension SplitMix {
    /// One of many sequences of a seed; by FNV-1a, 64 bits.
    init(seed: UInt64, stream: String) {
        self.init(seed: seed ^ stream.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
    }

    /// Mean 0, standard deviation 1.
    mutating func normal() -> Double {
        let u = Double.random(in: Double.leastNormalMagnitude..<1, using: &self)
        let v = Double.random(in: 0..<1, using: &self)
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }
}
