import Glibc

/// A block after error correction, with what it took: of several counts of erased codewords, the one that leaves least to chance (generalised
/// minimum distance decoding; Forney, 1966).
struct RestoredBlock: Sendable {
    let codewords: [UInt8]
    /// Codewords that were wrong and not erased.
    let errors: Int
    let erasures: Int
    /// See `RestoredSymbol.chance`.
    let chance: Double

    /// Base 2 logarithm. One in 17 million random blocks: for whoever looks at 100 of them a second and at nothing else, one in two days, before
    /// patterns and the other blocks are asked. It leaves every QR code the errors that the standard allows it, with the codewords that the standard
    /// keeps against wrong decoding; of a Data Matrix of 10 × 10, 12 × 12 and 18 × 8 one fewer than could be corrected.
    static let mostChance = -24.0
    /// With so little left to chance, another count of erasures would give the same: no more are tried.
    private static let fineChance = -48.0
    /// Erasing all but so many codewords of error correction: with one less, chance is 2 to the power of -24 at best, and there is more than one attempt.
    private static let keptParity = 4

    /// - Parameters:
    ///   - reliabilities: for each codeword; only their order counts.
    ///   - code: how the block was protected.
    ///   - readings: In how many ways the symbol could be read wrongly: ways of reading it that are tried, times blocks.
    init?(_ received: [UInt8], reliabilities: [Float], code: ReedSolomon, readings: Int) {
        let parity = code.parity
        guard received.count == reliabilities.count, received.count > parity else { return nil }
        let syndromes = code.syndromes(received)
        let order = received.indices.sorted { (reliabilities[$0], $0) < (reliabilities[$1], $1) }
        let counts = Self.erasureCounts(parity: parity)
        let attempts = log2(Double(counts.count * max(readings, 1)))
        var best: (corrections: [ReedSolomon.Correction], errors: Int, erasures: Int, chance: Double)?
        for erasures in counts {
            let limit = min(best?.chance ?? .infinity, Self.mostChance)
            // Even without an error it would be no better.
            guard attempts - 8 * Double(parity - erasures) <= limit else { break }
            let erased = Array(order.prefix(erasures))
            guard let corrections = code.corrections(syndromes, count: received.count, erased: erased) else { continue }
            let errors = corrections.count - erasures
            let chance =
                attempts
                + Self.chance(count: received.count, parity: parity, errors: errors, erasures: erasures)
            guard chance <= limit else { continue }
            best = (corrections, errors, erasures, chance)
            if chance <= Self.fineChance { break }
        }
        guard let best else { return nil }
        var codewords = received
        for correction in best.corrections { codewords[correction.index] ^= correction.difference }
        self.codewords = codewords
        errors = best.errors
        erasures = best.erasures
        chance = best.chance
    }

    /// None, and then by twos, so that with half of the others the whole parity is used.
    private static func erasureCounts(parity: Int) -> [Int] {
        [0] + Array(stride(from: parity % 2 == 0 ? 2 : 1, through: parity - keptParity, by: 2))
    }

    /// Base 2 logarithm of an upper bound of the chance that, of random codewords, those that aren't erased have at most `errors` of a block that is right:
    /// blocks that are right, times what is that near to each, over all that there may be.
    static func chance(count: Int, parity: Int, errors: Int, erasures: Int) -> Double {
        let seen = count - erasures
        guard errors >= 0, erasures >= 0, seen > errors else { return 0 }
        var chance = -8 * Double(parity - erasures)
        for error in 0..<errors { chance += log2(255 * Double(seen - error) / Double(error + 1)) }
        // Fewer errors: each time, at least by this factor less.
        return chance - log2(1 - Double(errors) / (255 * Double(seen - errors + 1)))
    }
}
