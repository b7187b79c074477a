import Glibc
import Testing
import Vocabulary

@testable import SoftReader

@Suite struct ReedSolomonTests {
    /// Of random codewords, how many have a block within reach is known: the bound is little more. No block is so weak in a symbol; in these
    /// it can be counted.
    @Test(arguments: [(10, 2, 1, 0), (12, 3, 1, 1), (40, 3, 1, 1), (20, 4, 2, 0), (30, 2, 0, 1), (14, 5, 2, 1)])
    func `as many random blocks are accepted as the bound says`(count: Int, parity: Int, errors: Int, erasures: Int) {
        var random = SplitMix64(seed: 7)
        let code = ReedSolomon.qrCode(parity: parity)
        let tries = 40_000
        var accepted = 0
        for _ in 0..<tries {
            let block = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let erased = Array((0..<count).shuffled(using: &random).prefix(erasures))
            let corrections = code.corrections(code.syndromes(block), count: count, erased: erased)
            guard let corrections else { continue }
            accepted += 1
            #expect(corrections.count <= errors + erasures)
        }
        let chance = exp2(
            RestoredBlock.chance(count: count, parity: parity, errors: errors, erasures: erasures))
        let expected = chance * Double(tries)
        // Six standard deviations.
        #expect(abs(Double(accepted) - expected) < 6 * expected.squareRoot() + 1 + 0.01 * expected)
    }

    @Test(arguments: [ReedSolomon.qrCode, ReedSolomon.dataMatrix])
    func `errors and erasures are corrected as far as parity goes, and no further`(
        of kind: @Sendable (Int) -> ReedSolomon
    ) throws {
        var random = SplitMix64(seed: 3)
        let (count, parity) = (60, 20)
        let code = kind(parity)
        for erasures in 0...parity {
            // The block of only zeros is right, and so is what the correction of any other's difference from it gives.
            var block = [UInt8](repeating: 0, count: count)
            let places = (0..<count).shuffled(using: &random)
            let errors = (parity - erasures) / 2
            for place in places.prefix(erasures + errors) { block[place] = .random(in: 1...255, using: &random) }
            let erased = Array(places.prefix(erasures))
            let corrections = try #require(code.corrections(code.syndromes(block), count: count, erased: erased))
            for correction in corrections { block[correction.index] ^= correction.difference }
            #expect(block.allSatisfy { $0 == 0 })
            #expect(corrections.count == erasures + errors)
        }
        var block = [UInt8](repeating: 0, count: count)
        for place in 0...(parity / 2) { block[place] = UInt8(place + 1) }
        #expect(code.corrections(code.syndromes(block), count: count, erased: []) == nil)
        #expect(code.corrections(code.syndromes(block), count: count, erased: [60]) == nil)
        #expect(code.corrections(code.syndromes(block), count: count, erased: [5, 5]) == nil)
        #expect(code.corrections([], count: count, erased: []) == nil)
        #expect(code.corrections(code.syndromes(block), count: count, erased: Array(0...parity)) == nil)
    }

    @Test func `chance leaves every symbol the errors that the standard allows`() throws {
        for kind in everySymbol {
            let layout = try #require(SymbolLayout(version: kind.version))
            let plan = BlockPlan(layout, kind.level)
            for block in plan.blocks {
                let chance = RestoredBlock.chance(
                    count: block.count, parity: plan.parity, errors: kind.mostErrors(plan), erasures: 0)
                // With all attempts at it: 14 counts of erasures and 4 formats at most.
                #expect(chance + log2(56) <= RestoredBlock.mostChance, "\(kind.testDescription)")
            }
        }
    }

    @Test func `an erasure leaves more to chance, and so does an error`() {
        let none = RestoredBlock.chance(count: 44, parity: 16, errors: 0, erasures: 0)
        #expect(none == -128)
        #expect(RestoredBlock.chance(count: 44, parity: 16, errors: 0, erasures: 4) == -96)
        #expect(
            abs(RestoredBlock.chance(count: 44, parity: 16, errors: 1, erasures: 0) - (-128 + log2(44.0 * 255))) < 0.01)
        #expect(RestoredBlock.chance(count: 44, parity: 16, errors: 44, erasures: 0) == 0)
    }
}
