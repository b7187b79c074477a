import Testing

@testable import Reading
@testable import Vocabulary

struct StillPictureTests {
    private func symbol(_ text: String, x: Double = 0.5, y: Double = 0.5, _ symbology: Symbology = .qrCode) -> Symbol {
        let quad = Quad(
            Point(x: x - 0.1, y: y - 0.1), Point(x: x + 0.1, y: y - 0.1), Point(x: x + 0.1, y: y + 0.1),
            Point(x: x - 0.1, y: y + 0.1))
        return Symbol(symbology: symbology, bytes: Array(text.utf8), text: text, corners: quad)
    }

    @Test func `all symbols that alternating passes find are there`() {
        var still = StillPicture()
        still.add([symbol("A")], picture: 1)
        still.add([symbol("B", x: 0.2)], picture: 1)
        still.add([symbol("A", x: 0.51)], picture: 1)
        #expect(still.symbols.compactMap(\.text) == ["A", "B"])
    }

    @Test func `two codes with the same content in one read are two`() {
        var still = StillPicture()
        still.add([symbol("A"), symbol("A")], picture: 1)
        #expect(still.symbols.count == 2)
    }

    @Test func `a code that two passes of one read found is one`() {
        var still = StillPicture()
        var other = symbol("A")
        other.evidence.pass = 1
        still.add([symbol("A"), other], picture: 1)
        still.add([symbol("A"), other], picture: 1)
        #expect(still.symbols.count == 1)
    }

    @Test func `another picture forgets the earlier symbols`() {
        var still = StillPicture()
        still.add([symbol("A")], picture: 1)
        still.add([], picture: 2)
        #expect(still.symbols.isEmpty)
    }

    @Test func `a symbol that several reads miss is gone`() {
        var still = StillPicture()
        still.add([symbol("A")], picture: 1)
        for _ in 1..<StillPicture.memory { still.add([], picture: 1) }
        #expect(still.symbols.count == 1)
        still.add([], picture: 1)
        #expect(still.symbols.isEmpty)
    }

    @Test func `the same text at two places in one look is two codes`() {
        #expect(!symbol("1", y: 0.4, .code128).isSameCode(as: symbol("1", y: 0.55, .code128)))
    }

    @Test func `one decoder's scan line and another's height are one code`() {
        var line = symbol("1", y: 0.45, .ean13)
        line.corners = Quad(
            Point(x: 0.4, y: 0.44), Point(x: 0.6, y: 0.44), Point(x: 0.6, y: 0.46), Point(x: 0.4, y: 0.46))
        var height = symbol("1", y: 0.55, .ean13)
        height.corners = Quad(
            Point(x: 0.4, y: 0.51), Point(x: 0.6, y: 0.51), Point(x: 0.6, y: 0.55), Point(x: 0.4, y: 0.55))
        height.evidence.decoder = .zbar
        #expect(line.isSameCode(as: height) && height.isSameCode(as: line))
    }

    @Test func `a linear code seen on another line of its bars is the same one`() {
        var another = symbol("1", y: 0.55, .code128)
        another.evidence.pass = 1
        #expect(symbol("1", y: 0.4, .code128).isSameCode(as: another))
        #expect(!symbol("1", x: 0.4, .code128).isSameCode(as: symbol("1", x: 0.55, .code128)))
        #expect(!symbol("1", y: 0.4).isSameCode(as: symbol("1", y: 0.55)))
    }

    @Test func `looks that disagree on where a MaxiCode is saw one code`() {
        #expect(symbol("1", x: 0.2, .maxiCode).isSameCode(as: symbol("1", x: 0.8, .maxiCode)))
        #expect(!symbol("1", .maxiCode).isSameCode(as: symbol("2", .maxiCode)))
    }
}
