import Testing
import Vocabulary

@Suite("SplitMix64") struct SplitMix64Tests {
    @Test("A seed gives the numbers that it gives everywhere")
    func numbers() {
        var random = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test("As a fraction, a number is from 0 up to 1")
    func units() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<1000 { #expect((0..<1).contains(random.nextUnit())) }
    }
}
