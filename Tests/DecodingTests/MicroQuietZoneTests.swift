import Glibc
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
            isInverted: isInverted, decoder: .zxing, strength: 1)
    }

    private func square(x: Double, y: Double, side: Double) -> Quad {
        Quad(Point(x: x, y: y), Point(x: x + side, y: y), Point(x: x + side, y: y + side), Point(x: x, y: y + side))
    }

    private func isSeen(_ picture: DecodingPicture, _ corners: Quad, isInverted: Bool = false) -> Bool {
        picture.withPlane { MicroQuietZone(plane: $0).isSeen(around: reading(corners, isInverted: isInverted)) }
    }

    @Test(
        "a code with paper around it is one, however it is turned, also light on dark, and at the picture's edge",
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

    /// A code, and what a camera sees of it.
    private func shown(_ change: (_ x: Double, _ y: Double, _ luma: UInt8) -> UInt8) -> Bool {
        let length = Double(Self.side) * Self.module
        var picture = DecodingPicture(width: 200, height: 160)
        picture.paint(Self.micro, x: 100, y: 80, module: Self.module)
        let (left, top) = (100 - 6 * Self.module, 80 - length / 2)
        for y in 0..<160 {
            for x in 0..<200 {
                let index = y * picture.rowStride + x
                // From the code's middle.
                let (dx, dy) = (Double(x) - left - length / 2, Double(y) - top - length / 2)
                picture.pixels[index] = change(dx, dy, picture.pixels[index])
            }
        }
        return isSeen(picture, square(x: left, y: top, side: length))
    }

    @Test("a label that is cut tight or askew, on a dark table, is still one; so is one with print on one side")
    func tight() {
        let reach = Double(Self.side) * Self.module / 2
        for paper in stride(from: 0.0, through: 8, by: 0.5) {
            for degrees in [0.0, 1, 2, 3, 4, 6, 10] {
                let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
                let isSeen = shown { x, y, luma in
                    max(abs(c * x + s * y), abs(c * y - s * x)) > reach + paper ? 30 : luma
                }
                #expect(isSeen, "\(paper) pixels of paper, askew by \(degrees) degrees")
            }
        }
        let isSeen = shown { x, y, luma in x > reach + 2 && Int(y + 80) % 8 < 4 ? 30 : luma }
        #expect(isSeen)
    }

    @Test("faint, in a shadow, and in light that falls off it is still one", arguments: [0.2, 0.3, 0.5, 0.8])
    func light(least: Double) {
        func dim(_ luma: UInt8, _ part: Double) -> UInt8 { UInt8(Double(luma) * part) }
        let faint = shown { _, _, luma in UInt8(110 + Double(luma) * least / 4) }
        let shadow = shown { x, y, luma in dim(luma, x + y > 10 ? least : 1) }
        let falling = shown { x, y, luma in dim(luma, min(max(1 - (1 - least) * (x + y + 60) / 120, least), 1)) }
        #expect(faint && shadow && falling)
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
        var picture = DecodingPicture(width: 240, height: 200)
        picture.paint(SmallQRCode.rows("NUMBER 7919"), x: 120, y: 100, module: Self.module)
        let corner = square(
            x: 120 - 12 * Self.module, y: 100 - 10.5 * Self.module, side: Double(Self.side) * Self.module)
        var other = reading(corner)
        #expect(!picture.withPlane { MicroQuietZone(plane: $0).isSeen(around: other) })
        other.symbology = .dataMatrix
        #expect(picture.withPlane { MicroQuietZone(plane: $0).isSeen(around: other) })
    }
}
