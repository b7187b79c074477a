/// The error correction of one block: a Reed-Solomon code whose generator has as roots `parity` successive powers of α. Polynomials begin with the
/// lowest power.
struct ReedSolomon: Sendable {
    /// Codewords for error correction.
    let parity: Int

    private let field: GaloisField
    /// The power of α that is the generator's first root: 0 or 1.
    private let firstRoot: Int

    /// That of a QR code's block.
    static func qrCode(parity: Int) -> ReedSolomon { ReedSolomon(parity: parity, field: .qrCode, firstRoot: 0) }

    /// That of a Data Matrix' block.
    static func dataMatrix(parity: Int) -> ReedSolomon { ReedSolomon(parity: parity, field: .dataMatrix, firstRoot: 1) }

    struct Correction: Hashable, Sendable {
        /// Which codeword of the block.
        let index: Int
        /// What is to be XORed to it; 0 for an erased one that was right.
        let difference: UInt8
    }

    /// All are 0 for a block that is right.
    /// - Parameter block: at most 255 codewords, data first.
    func syndromes(_ block: [UInt8]) -> [UInt8] {
        let backwards = Array(block.reversed())
        return (0..<parity).map { field.value(backwards, at: field.power($0 + firstRoot)) }
    }

    /// What makes a block right, with 2 × errors + erasures up to `parity`: there is at most one such way. `nil`: none.
    /// - Parameters:
    ///   - count: codewords in the block, 255 at most.
    ///   - erased: codewords that may be anything, each once, `parity` at most.
    func corrections(_ syndromes: [UInt8], count: Int, erased: [Int]) -> [Correction]? {
        guard count <= 255, syndromes.count == parity, erased.count <= parity,
            let locator = locator(syndromes, count: count, erased: erased)
        else { return nil }
        // Chien: the locator is 0 at the inverse of every wrong place.
        var corrections: [Correction] = []
        let evaluator = evaluator(syndromes, locator)
        let derivative = locator.indices.dropFirst().map { $0 % 2 == 1 ? locator[$0] : 0 }
        for index in 0..<count {
            let exponent = count - 1 - index
            let inverse = field.power(255 - exponent)
            guard field.value(locator, at: inverse) == 0 else { continue }
            // Forney; two roots in one leave no derivative.
            let slope = field.value(derivative, at: inverse)
            guard slope != 0 else { return nil }
            let difference = field.quotient(field.value(evaluator, at: inverse), slope)
            corrections.append(
                Correction(index: index, difference: field.product(difference, field.power(exponent * (1 - firstRoot))))
            )
        }
        // As many roots as its degree says, or it locates nothing.
        guard corrections.count == locator.count - 1, isRight(corrections, syndromes, count: count) else { return nil }
        return corrections
    }

    /// Berlekamp and Massey, from the erasures on. `nil`: more errors than the code corrects.
    private func locator(_ syndromes: [UInt8], count: Int, erased: [Int]) -> [UInt8]? {
        var locator = [UInt8](repeating: 0, count: parity + 1)
        locator[0] = 1
        for (degree, index) in erased.enumerated() {
            guard (0..<count).contains(index) else { return nil }
            let place = field.power(count - 1 - index)
            for power in stride(from: degree + 1, through: 1, by: -1) {
                locator[power] ^= field.product(locator[power - 1], place)
            }
        }
        var previous = locator
        var length = erased.count
        for step in erased.count..<parity {
            var discrepancy: UInt8 = 0
            for power in 0...step { discrepancy ^= field.product(locator[power], syndromes[step - power]) }
            let former = locator
            if discrepancy != 0 {
                for power in 1...parity { locator[power] ^= field.product(discrepancy, previous[power - 1]) }
            }
            if discrepancy != 0, 2 * length <= step + erased.count {
                length = step + 1 + erased.count - length
                previous = former.map { field.quotient($0, discrepancy) }
            } else {
                previous.removeLast()
                previous.insert(0, at: 0)
            }
        }
        while locator.last == 0 { locator.removeLast() }
        // Errors are what is longer than the erasures, and each takes two codewords.
        guard locator.count - 1 == length, 2 * length - erased.count <= parity else { return nil }
        return locator
    }

    /// Syndromes times locator, up to the power of `parity` - 1.
    private func evaluator(_ syndromes: [UInt8], _ locator: [UInt8]) -> [UInt8] {
        (0..<parity).map { power in
            var sum: UInt8 = 0
            for lower in 0...min(power, locator.count - 1) {
                sum ^= field.product(locator[lower], syndromes[power - lower])
            }
            return sum
        }
    }

    /// Whether the block's syndromes are all 0 afterwards: those of the differences must be those of the block.
    private func isRight(_ corrections: [Correction], _ syndromes: [UInt8], count: Int) -> Bool {
        var remaining = syndromes
        for correction in corrections where correction.difference != 0 {
            let place = field.power(count - 1 - correction.index)
            var term = field.product(correction.difference, field.power(firstRoot * (count - 1 - correction.index)))
            for index in remaining.indices {
                remaining[index] ^= term
                term = field.product(term, place)
            }
        }
        return remaining.allSatisfy { $0 == 0 }
    }
}
