import Testing
import Vocabulary

@testable import Decoding

@Suite struct BarCountTests {
    private func count(_ symbology: Symbology, digits: Int = 13) -> BarCount {
        let centre = Point(x: 0, y: 0)
        return BarCount(
            of: PassReading(
                symbology: symbology, bytes: Array(repeating: 0x30, count: digits), aim: "",
                corners: Quad(at: centre), isInverted: false, decoder: .zbar, strength: 9))
    }

    /// 60 edges; one half has 32 with the middle guard.
    @Test(arguments: [Symbology.ean13, .upcA]) func halfOfAnEANIsTooFew(symbology: Symbology) {
        #expect(count(symbology).fits(60))
        #expect(count(symbology).fits(120), "what is beside it counts, too")
        #expect(!count(symbology).fits(32))
        #expect(!count(symbology).fits(nil))
        #expect(count(.ean8, digits: 8).fits(44))
        #expect(!count(.ean8, digits: 8).fits(24))
    }

    @Test func aUPCEWithinAnEANIsTooMany() {
        #expect(count(.upcE, digits: 8).fits(34))
        #expect(!count(.upcE, digits: 8).fits(60))
        #expect(count(.upcE, digits: 8).fits(nil))
    }

    @Test func othersSayNothing() {
        for symbology in [Symbology.code128, .code39, .codabar, .itf, .qrCode] {
            #expect(count(symbology).fits(3) && count(symbology).fits(nil))
        }
    }
}
