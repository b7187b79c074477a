import ReaderProtocol
import Testing
import Vocabulary

@testable import Decoding

@Suite struct CodeCoverTests {
    /// A tilted code at an edge: its margin has rows, or all of it, beyond the picture.
    @Test(arguments: [(x: 190.0, y: 40.0), (-30, 40), (60, -40), (60, 90), (300, 40), (60, 300)])
    func `a code that reaches beyond the picture is painted over as far as it shows`(x: Double, y: Double) {
        let quad = Quad(
            Point(x: x, y: y), Point(x: x + 40, y: y - 20), Point(x: x + 50, y: y), Point(x: x + 10, y: y + 20))
        let plane = LumaPlane(width: 200, height: 100, map: .identity) { out in
            for index in 0..<20_000 { out[index] = index % 2 == 0 ? 30 : 220 }
        }
        let copy = CodeCover(plane: plane).covering([quad])
        for row in 0..<100 {
            for column in 0..<200 where quad.contains(Point(x: Double(column) + 0.5, y: Double(row) + 0.5)) {
                #expect(copy.row(row)[column] == 220)
            }
        }
    }

    @Test func `a tilted EAN at the right edge doesn't end the reader`() {
        var picture = DecodingPicture(width: 640, height: 400)
        picture.paint(DecodingFixtures.ean13, x: 532, y: 200, module: 2, degrees: 24)
        let engine = DecodeEngine(rules: DecodeRules(symbologies: [.ean13: DecodeRules.Rule()]))
        #expect(picture.read(by: engine, effort: .exhaustive).map(\.text) == ["4006381333931"])
    }
}
