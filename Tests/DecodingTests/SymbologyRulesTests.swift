import Decoding
import ReaderProtocol
import Settings
import Testing
import Vocabulary

@Suite struct SymbologyRulesTests {
    /// "symbology aim data", or "-" if the rules don't admit it.
    private func judged(
        _ symbology: Symbology, _ data: String, by table: [Symbology: DecodeRules.Rule], hasAddOn: Bool = false
    ) -> String {
        let rules = SymbologyRules(DecodeRules(symbologies: table))
        guard let verdict = rules.judge(symbology: symbology, bytes: Array(data.utf8), aim: "]X0", hasAddOn: hasAddOn)
        else { return "-" }
        return "\(verdict.symbology.rawValue) \(verdict.aim) \(String(decoding: verdict.bytes, as: UTF8.self))"
    }

    private func rule(_ check: CheckDigitRule = .none) -> DecodeRules.Rule { .init(checkDigit: check) }

    @Test func aLeadingZeroMakesUPCAWhereAskedFor() {
        let both: [Symbology: DecodeRules.Rule] = [.ean13: rule(), .upcA: rule()]
        #expect(judged(.ean13, "0036000291452", by: both) == "upc_a ]E0 036000291452")
        #expect(judged(.upcA, "036000291452", by: both) == "upc_a ]E0 036000291452")
        #expect(judged(.upcA, "036000291452", by: [.ean13: rule()]) == "ean_13 ]E0 0036000291452")
        #expect(judged(.ean13, "4006381333931", by: both) == "ean_13 ]E0 4006381333931")
        #expect(judged(.ean13, "4006381333931", by: [.upcA: rule()]) == "-")
        #expect(judged(.ean13, "4006381333932", by: both) == "-")
        #expect(judged(.ean13, "4006381333931", by: both, hasAddOn: true) == "ean_13 ]E3 4006381333931")
    }

    @Test func shortRetailCodesNeedTheirCheckDigit() {
        #expect(judged(.upcE, "04252614", by: [.upcE: rule()]) == "upc_e ]E0 04252614")
        #expect(judged(.upcE, "04252615", by: [.upcE: rule()]) == "-")
        // The left half of an EAN-13; its check digit fits.
        #expect(judged(.upcE, "14252611", by: [.upcE: rule()]) == "-")
        #expect(judged(.ean8, "96385074", by: [.ean8: rule()]) == "ean_8 ]E4 96385074")
        #expect(judged(.ean8, "96385075", by: [.ean8: rule()]) == "-")
    }

    @Test func fourteenCheckedDigitsMakeITF14() {
        let both: [Symbology: DecodeRules.Rule] = [.itf: rule(), .itf14: rule()]
        #expect(judged(.itf, "00012345678905", by: both) == "itf_14 ]I1 00012345678905")
        #expect(judged(.itf, "00012345678906", by: both) == "itf ]I0 00012345678906")
        #expect(judged(.itf, "123456", by: both) == "itf ]I0 123456")
        #expect(judged(.itf, "123456", by: [.itf14: rule()]) == "-")
        #expect(judged(.itf, "00012345678905", by: [.itf: rule()]) == "itf ]I0 00012345678905")
        #expect(judged(.itf, "00012345678905", by: [.itf: rule(.verify)]) == "itf ]I1 00012345678905")
        #expect(judged(.itf, "00012345678906", by: [.itf: rule(.verify)]) == "-")
        #expect(judged(.itf, "00012345678905", by: [.itf14: rule(.strip)]) == "itf_14 ]I3 0001234567890")
    }

    @Test func code39TakesItsCheckCharacterByTheRules() {
        #expect(judged(.code39, "CODE39W", by: [.code39: rule()]) == "code_39 ]A0 CODE39W")
        #expect(judged(.code39, "CODE39W", by: [.code39: rule(.verify)]) == "code_39 ]A1 CODE39W")
        #expect(judged(.code39, "CODE39W", by: [.code39: rule(.strip)]) == "code_39 ]A3 CODE39")
        #expect(judged(.code39, "CODE39X", by: [.code39: rule(.verify)]) == "-")
        let both: [Symbology: DecodeRules.Rule] = [.code39: rule(), .code39Mod43: rule()]
        #expect(judged(.code39, "CODE39W", by: both) == "code_39_mod_43 ]A1 CODE39W")
        #expect(judged(.code39, "CODE39X", by: both) == "code_39 ]A0 CODE39X")
        #expect(judged(.code39, "CODE39X", by: [.code39Mod43: rule()]) == "-")
    }

    @Test func code39PairsBecomeFullASCII() {
        let table: [Symbology: DecodeRules.Rule] = [.code39: DecodeRules.Rule(fullASCII: true)]
        #expect(judged(.code39, "12+A+B", by: table) == "code_39 ]A4 12ab")
        #expect(judged(.code39, "E+X+T /A%J/J/C", by: table) == "code_39 ]A4 Ext !?*#")
        #expect(judged(.code39, "$9.99", by: table) == "code_39 ]A0 $9.99")
        #expect(judged(.code39, "+A123BJC5D6E71", by: table) == "code_39 ]A0 +A123BJC5D6E71")
    }

    /// A number, and one with leading zeros.
    @Test func code39MayBeAnItalianPharmaceuticalNumber() {
        let table: [Symbology: DecodeRules.Rule] = [.code39: DecodeRules.Rule(code32: true)]
        #expect(judged(.code39, "3PRM8N", by: table) == "code_39 ]A0 A123456788")
        #expect(judged(.code39, "0CSSBD", by: table) == "code_39 ]A0 A012345676")
        #expect(judged(.code39, "3PRM8N", by: [.code39: rule()]) == "code_39 ]A0 3PRM8N")
    }

    @Test(arguments: ["3PRM8P", "3PRM8", "A PRM8", "ZZZZZZ", "3PRM8NN", "3prm8n"])
    func otherCode39StaysWhatItIs(data: String) {
        let table: [Symbology: DecodeRules.Rule] = [.code39: DecodeRules.Rule(code32: true)]
        #expect(judged(.code39, data, by: table) == "code_39 ]A0 \(data)")
    }

    @Test func code39PairsOfAPlainLabelStay() {
        let table: [Symbology: DecodeRules.Rule] = [.code39: rule()]
        #expect(judged(.code39, "A/B-12", by: table) == "code_39 ]A0 A/B-12")
        #expect(judged(.code39, "12+A+B", by: table) == "code_39 ]A0 12+A+B")
    }

    @Test func codabarTakesItsCheckCharacterByTheRules() {
        #expect(judged(.codabar, "A37859+B", by: [.codabar: rule()]) == "codabar ]F0 A37859+B")
        #expect(judged(.codabar, "a37859+b", by: [.codabar: rule(.verify)]) == "codabar ]F2 A37859+B")
        #expect(judged(.codabar, "A37859+B", by: [.codabar: rule(.strip)]) == "codabar ]F4 A37859B")
        #expect(judged(.codabar, "A378590B", by: [.codabar: rule(.verify)]) == "-")
    }

    @Test func lengthsAreCheckedBeforeStripping() {
        let six = DecodeRules.Rule(minLength: 6, maxLength: 6, checkDigit: .strip)
        #expect(judged(.itf, "123456", by: [.itf: six]) == "-")
        #expect(judged(.itf, "123457", by: [.itf: six]) == "itf ]I3 12345")
        #expect(judged(.itf, "1515", by: [.itf: DecodeRules.Rule(minLength: 6)]) == "-")
        #expect(judged(.code128, "1234567", by: [.code128: DecodeRules.Rule(maxLength: 6)]) == "-")
    }

    @Test func decodersLookForTheParentSymbologies() {
        let rules = SymbologyRules(DecodeRules(symbologies: [.itf14: rule(), .code39Mod43: rule(), .upcA: rule()]))
        #expect(rules.decoderSymbologies == [.itf, .code39, .upcA])
    }

    @Test(arguments: Symbology.allCases)
    func everySymbologyHasAnAIMIdentifier(symbology: Symbology) {
        let aim = SymbologyRules.defaultAIM(for: symbology)
        #expect(aim.count == 3 && aim.hasPrefix("]"))
    }
}
