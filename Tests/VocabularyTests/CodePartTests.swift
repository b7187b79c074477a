import Testing

@testable import Vocabulary

@Suite struct CodePartTests {
    private let place = Quad.at(0.5, 0.5, width: 0.4, height: 0.2)

    private func code(_ symbology: Symbology, _ text: String, x: Double = 0, y: Double = 0) -> CodePart {
        CodePart(symbology, Array(text.utf8), at: place.mapped { Point(x: $0.x + x, y: $0.y + y) })
    }

    @Test(arguments: ["974228", "950715", "5695"]) func fewerDigitsOfTheSameBarsAreAPart(text: String) {
        let whole = code(.itf, "97422856950715")
        #expect(code(.itf, text).isPart(of: whole) && code(.itf, text, x: 0.1, y: 0.1).isPart(of: whole))
        #expect(!whole.isPart(of: code(.itf, text)))
    }

    @Test func theInnerDigitsOfAnEAN13AreAPart() {
        #expect(code(.ean8, "02508979").isPart(of: code(.upcA, "100250897969")))
    }

    @Test func otherDigitsAnotherPlaceAndTheSameCodeAreNone() {
        let whole = code(.itf, "97422856950715")
        #expect(!code(.itf, "950716").isPart(of: whole))
        #expect(!code(.itf, "950715", y: 0.16).isPart(of: whole))
        #expect(!code(.itf, "950715", x: 0.4).isPart(of: whole))
        #expect(!whole.isPart(of: whole))
        #expect(!code(.qrCode, "950715").isPart(of: whole))
    }
}
