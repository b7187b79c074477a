import ReaderProtocol
import Testing
import Vocabulary

@testable import Decoding

/// What a decoder takes for a Micro QR code in the corner of a QR code says the same in every frame: agreement doesn't help.
@Suite struct MicroQuietZoneTests {
    private static let side = 11
    private static let module = 4.0
    /// A drawn square with a finder pattern; what it holds doesn't matter here.
    private static let micro: [String] = [
        "FEA", "82A", "BAC", "BA6", "BAA", "828", "FE6", "004", "D52", "3AC", "A96",
    ]

    private func reading(_ corners: Quad, isInverted: Bool = false) -> PassReading {
        PassReading(
            symbology: .microQRCode, bytes: Array("48467".utf8), text: "48467", aim: "]Q1", corners: corners,
            isInverted: isInverted, decoder: .zxing, lineCount: 1)
    }

    private func square(x: Double, y: Double, side: Double) -> Quad {
        Quad(Point(x: x, y: y), Point(x: x + side, y: y), Point(x: x + side, y: y + side), Point(x: x, y: y + side))
    }

    private func isSeen(_ picture: DecodingPicture, _ corners: Quad, isInverted: Bool = false) -> Bool {
        picture.withPlane { MicroQuietZone(plane: $0).isSeen(around: reading(corners, isInverted: isInverted)) }
    }

    @Test(
        "a code with paper around it is one, however it is turned, also light on dark, faint, and at the picture's edge",
        arguments: [false, true])
    func alone(isInverted: Bool) {
        let length = Double(Self.side) * Self.module
        // Its rows are padded to twelve modules: paper.
        var picture = DecodingPicture(width: 200, height: 160, grey: isInverted ? 30 : 220)
        picture.paint(Self.micro, x: 100, y: 80, module: Self.module, isInverted: isInverted)
        let corners = square(x: 100 - 6 * Self.module, y: 80 - length / 2, side: length)
        #expect(isSeen(picture, corners, isInverted: isInverted))
        let points = corners.points
        for turn in 1..<4 {
            let turned = Quad(points[turn], points[(turn + 1) % 4], points[(turn + 2) % 4], points[(turn + 3) % 4])
            #expect(isSeen(picture, turned, isInverted: isInverted))
        }
        var edge = DecodingPicture(width: 46, height: 46)
        edge.paint(Self.micro, x: 25, y: 23, module: Self.module)
        #expect(isSeen(edge, square(x: 1, y: 1, side: length)))
    }

    @Test("a label that is cut tight, with print on one side, or on a dark table, is still one")
    func tight() {
        let length = Double(Self.side) * Self.module
        func picture(_ dark: (Int, Int) -> Bool) -> DecodingPicture {
            var picture = DecodingPicture(width: 200, height: 160)
            picture.paint(Self.micro, x: 100, y: 80, module: Self.module)
            for y in 0..<160 { for x in 0..<200 where dark(x, y) { picture.pixels[y * picture.rowStride + x] = 30 } }
            return picture
        }
        let corners = square(x: 100 - 6 * Self.module, y: 80 - length / 2, side: length)
        let (left, top, right, bottom) = (76, 58, 120, 102)
        for paper in 0...5 {
            let cut = picture { $0 < left - paper || $1 < top - paper || $0 > right + paper || $1 > bottom + paper }
            let isSeen = isSeen(cut, corners)
            #expect(isSeen, "\(paper) pixels of paper")
        }
        let isSeen = isSeen(picture { x, y in x > right + 2 && y % 8 < 4 }, corners)
        #expect(isSeen)
    }

    @Test("what lies in a corner of a QR code is none")
    func corner() {
        let (module, length) = (Self.module, Double(Self.side) * Self.module)
        var refused = 0
        for number in 0..<50 {
            var picture = DecodingPicture(width: 240, height: 200)
            picture.paint(SmallQRCode.rows("NUMBER \(number * 7919)"), x: 120, y: 100, module: module)
            let (x, y) = (120 - 12 * module, 100 - 10.5 * module)
            let far = Double(SmallQRCode.side - Self.side) * module
            for (dx, dy) in [(0.0, 0.0), (far, 0), (0, far)] {
                if !isSeen(picture, square(x: x + dx, y: y + dy, side: length)) { refused += 1 }
            }
        }
        // A line of eleven modules is light by chance now and then.
        #expect(refused >= 145, "\(refused) of 150")
    }

    @Test("other codes aren't looked at")
    func others() {
        let picture = DecodingPicture(width: 64, height: 64)
        var other = reading(square(x: 10, y: 10, side: 40))
        other.symbology = .qrCode
        #expect(picture.withPlane { MicroQuietZone(plane: $0).isSeen(around: other) })
    }
}
