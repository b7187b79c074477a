import Testing

@testable import Vocabulary

@Suite("What speaks for a code")
struct EvidenceTallyTests {
    private func tally(_ looks: (Evidence.Decoder, pass: Int, lines: Int)...) -> EvidenceTally {
        var tally = EvidenceTally()
        for look in looks { tally.add(look.0, pass: look.pass, lineCount: look.lines) }
        return tally
    }

    @Test("one look of ZXing suffices for an EAN-13, one of ZBar on few lines wants another")
    func ean() {
        #expect(tally((.zxing, 1, 2)).suffices(for: .ean13))
        #expect(!tally((.zxing, 1, 2)).wantsAnotherPass(for: .ean13))
        let few = tally((.zbar, 1, 3))
        #expect(!few.suffices(for: .ean13) && few.wantsAnotherPass(for: .ean13))
        let same = tally((.zbar, 1, 3), (.zbar, 1, 4))
        #expect(!same.suffices(for: .ean13) && same.wantsAnotherPass(for: .ean13))
        let two = tally((.zbar, 1, 3), (.zbar, 2, 2))
        #expect(two.suffices(for: .ean13) && !two.wantsAnotherPass(for: .ean13))
        #expect(tally((.zbar, 1, 20)).suffices(for: .ean13))
    }

    @Test("a code that no further look of ZBar's would make certain asks for none")
    func weak() {
        for symbology in [Symbology.code39, .itf, .dataBarExpanded] {
            let one = tally((.zbar, 1, 3))
            #expect(!one.suffices(for: symbology) && !one.wantsAnotherPass(for: symbology))
        }
        #expect(tally((.zbar, 1, 0)).suffices(for: .qrCode))
    }

    @Test("ZXing's votes count threefold")
    func score() {
        #expect(tally((.zxing, 1, 2), (.zbar, 1, 2), (.zbar, 2, 2), (.zbar, 2, 9)).score == 5)
    }
}
