import Foundation
import TestSupport

/// By the algorithm's name: its numbers make the benchmarks' pictures, and a seed that is published must give the same ones for ever.
typealias SplitMix = SeededGenerator

extension SplitMix {
    /// Mean 0, standard deviation 1.
    mutating func normal() -> Double {
        let u = Double.random(in: Double.leastNormalMagnitude..<1, using: &self)
        let v = Double.random(in: 0..<1, using: &self)
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }
}
