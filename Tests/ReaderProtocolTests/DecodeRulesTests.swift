import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@Suite struct DecodeRulesTests {
    @Test func rulesSurviveTheByteForm() {
        var rules = DecodeRules(ReadingSettings())
        rules.symbologies[.code39] = .init(
            minLength: 4, maxLength: 300, checkDigit: .strip, inverse: false, fullASCII: true, code32: true)
        rules.symbologies[.ean13] = .init(minLength: 1, maxLength: 65535, checkDigit: .verify, addOns: true)
        #expect(DecodeRules(rules.encode()) == rules)
        #expect(DecodeRules(DecodeRules(symbologies: [:]).encode()) == DecodeRules(symbologies: [:]))
    }

    @Test func everySymbologyFitsTheLongestForm() {
        let all = DecodeRules(
            symbologies: Dictionary(uniqueKeysWithValues: Symbology.allCases.map { ($0, DecodeRules.Rule()) }))
        #expect(all.encode().count == DecodeRules.maxEncodedLength)
    }

    @Test(
        arguments: [
            [], [1], [2, 0], [1, 1], [1, 0, 0], [1, 1, 0, 0, 1, 0, 2, 0], [1, 1, 99, 0, 1, 0, 2, 0],
            [1, 1, 3, 12, 1, 0, 2, 0], [1, 1, 3, 64, 1, 0, 2, 0],
            [1, 2, 3, 0, 1, 0, 2, 0, 3, 0, 1, 0, 2, 0], [1, 2, 4, 0, 1, 0, 2, 0, 3, 0, 1, 0, 2, 0],
        ] as [[UInt8]])
    func damagedFormsAreRefused(bytes: [UInt8]) {
        #expect(DecodeRules(bytes) == nil)
    }
}
