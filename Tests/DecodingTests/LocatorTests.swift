import Glibc
import Testing
import Vocabulary

@testable import Decoding

@Suite struct LocatorTests {
    static let samples = LinearSample.common

    private func regions(of picture: DecodingPicture, turn: UInt32 = 0) -> [LocatedRegion] {
        picture.withPlane { Locator().regions(of: $0, turn: turn) }
    }

    /// A code in the middle of a grey picture, whole hexadecimal digits of it painted around the centre.
    private func picture(
        of sample: LinearSample, module: Double, degrees: Double, height: Double = 40, noise: Int = 6
    ) -> DecodingPicture {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(sample.rows, x: 320, y: 240, module: module, degrees: degrees, barHeight: height)
        picture.addNoise(amplitude: noise, seed: 7)
        return picture
    }

    @Test(arguments: samples, [0.0, 10, 30, 45, 60, 90, 135, 170])
    func `bars are found at any angle, with direction, extent and module width`(sample: LinearSample, degrees: Double)
        throws
    {
        for module in [1.25, 2, 3] {
            let found = regions(of: picture(of: sample, module: module, degrees: degrees))
            let best = try #require(found.first, "module \(module)")
            #expect(best.kind == .bars)
            #expect(abs(sin(best.direction - degrees * .pi / 180)) < 0.12, "\(best.direction * 180 / .pi)°")
            // The bars' middle lies a little left of the painted digits' middle.
            let offset = (Double(sample.rows[0].count) * 4 - sample.modules) / 2 * module
            let (x, y) = (320 - offset * cos(degrees * .pi / 180), 240 - offset * sin(degrees * .pi / 180))
            #expect(hypot(best.centre.x - x, best.centre.y - y) < 10 + 4 * module, "module \(module)")
            #expect(abs(best.length / (sample.modules * module) - 1) < 0.16, "module \(module): \(best.length)")
            #expect(best.height > 24 * module)
            #expect((0.6...1.6).contains(best.module / module), "module \(module): \(best.module)")
        }
    }

    @Test(arguments: [0.0, 25, 45, 90, 115]) func `a region's copy is read, and maps back to the picture`(
        degrees: Double
    ) throws {
        let sample = Self.samples[0]
        let picture = picture(of: sample, module: 2, degrees: degrees)
        try picture.withPlane { plane in
            let region = try #require(Locator().regions(of: plane).first)
            let copy = try #require(RegionCopy(of: region, from: plane).rectified())
            let zxing = ZXingDecoder()
            let readings = zxing.read(
                copy, pass: ReadPass(method: .zxing(.localAverage), target: .linear, rotates: false),
                binarizer: .localAverage, symbologies: DecoderSymbologies([.ean13]), readsAddOns: false)
            let reading = try #require(readings.first)
            #expect(String(decoding: reading.bytes, as: UTF8.self) == "4006381333931")
            let line = try #require(reading.scanLine)
            let (dx, dy) = (line.right.x - line.left.x, line.right.y - line.left.y)
            #expect(abs(hypot(dx, dy) - 190) < 8)
            #expect(abs(sin(atan2(dy, dx) - degrees * .pi / 180)) < 0.1)
        }
    }

    @Test func `a copy keeps the quiet zones, and enlarges narrow modules`() throws {
        let region = LocatedRegion(
            kind: .bars, centre: Point(x: 320, y: 240), direction: 0, length: 200, height: 60, module: 2, score: 1)
        try DecodingPicture(width: 640, height: 480).withPlane { plane in
            let copy = try #require(RegionCopy(of: region, from: plane).rectified())
            let left = copy.map(0, 0)
            #expect(left.x <= 220 - 10 * region.module)
            #expect(abs(left.y - 210) < 1e-6)
            #expect(Double(copy.width) >= 1.9 * (200 + 20 * region.module))
            #expect(copy.height <= RegionCopy.mostBarRows)
        }
    }

    @Test func `what is below or beside the picture is white, and a code half outside is found`() throws {
        let sample = Self.samples[1]
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(sample.rows, x: 620, y: 240, module: 2, barHeight: 60)
        let found = regions(of: picture)
        let best = try #require(found.first)
        #expect(best.kind == .bars)
        #expect(best.centre.x + best.length / 2 <= 650)
        picture.withPlane { plane in
            let copy = RegionCopy(of: best, from: plane).rectified()
            #expect(copy.map { $0.row($0.height / 2)[$0.width - 1] } == 255)
        }
    }

    @Test func `codes side by side, and across each other, are regions of their own`() {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(Self.samples[0].rows, x: 150, y: 120, module: 2)
        picture.paint(Self.samples[0].rows, x: 400, y: 120, module: 2)
        picture.paint(Self.samples[2].rows, x: 320, y: 320, module: 2, degrees: 90)
        let found = regions(of: picture).filter { $0.kind == .bars && $0.score > 20 }
        #expect(found.count == 3, "\(found)")
        #expect(found.count { abs(sin($0.direction)) > 0.9 } == 1)
    }

    @Test func `a QR code's finder patterns make a region around it`() throws {
        for degrees in [0.0, 20, 45, 80] {
            var picture = DecodingPicture(width: 640, height: 480)
            picture.paint(DecodingFixtures.qrLink, x: 300, y: 200, module: 4, degrees: degrees)
            picture.addNoise(amplitude: 4, seed: 3)
            let best = try #require(regions(of: picture).first { $0.kind == .finders }, "\(degrees)°")
            #expect(hypot(best.centre.x - 300, best.centre.y - 200) < 25, "\(degrees)°: \(best)")
            #expect((0.6...1.6).contains(best.module / 4))
        }
    }

    @Test func `a Data Matrix is texture`() throws {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(DecodingFixtures.dataMatrixGS1, x: 300, y: 200, module: 4)
        let best = try #require(regions(of: picture).first { $0.kind == .texture })
        #expect(hypot(best.centre.x - 300, best.centre.y - 200) < 20)
    }

    /// Pictures that are full of edges and show no code.
    static let clutter: [(name: String, level: @Sendable (Int, Int) -> UInt8)] = [
        ("noise", { x, y in mixed(UInt64(y * 640 + x)) }),
        ("chequers of one pixel", { x, y in (x + y) % 2 == 0 ? 0 : 255 }),
        ("chequers of twelve", { x, y in (x / 12 + y / 12) % 2 == 0 ? 0 : 255 }),
        ("blinds", { _, y in y % 14 < 6 ? 40 : 220 }),
        ("bricks", { x, y in y % 24 < 3 || (x + y / 24 % 2 * 30) % 60 < 3 ? 220 : 120 }),
        ("white", { _, _ in 255 }),
    ]

    private static func mixed(_ number: UInt64) -> UInt8 {
        var z = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt8(truncatingIfNeeded: z >> 40)
    }

    @Test func `whatever a picture shows, regions are few and within it`() {
        for (name, level) in Self.clutter {
            var picture = DecodingPicture(width: 640, height: 480)
            for y in 0..<480 { for x in 0..<640 { picture.fill(x: x, y: y, width: 1, height: 1, level(x, y)) } }
            let found = regions(of: picture)
            #expect(found.count <= Locator.most, "\(name)")
            for region in found {
                #expect((0...640).contains(region.centre.x) && (0...480).contains(region.centre.y), "\(name)")
                #expect(region.length < 1000 && region.height < 1000, "\(name)")
            }
            if ["noise", "white", "chequers of one pixel"].contains(name) {
                #expect(!found.contains { $0.kind == .bars }, "\(name): \(found)")
            }
        }
    }

    @Test(arguments: [(1, 1), (7, 500), (500, 7), (16, 8), (33, 17)]) func `tiny and thin pictures are no trouble`(
        size: (Int, Int)
    ) {
        var picture = DecodingPicture(width: size.0, height: size.1, rowStride: size.0 + 3)
        picture.addNoise(amplitude: 100, seed: 5)
        for turn: UInt32 in [0, 1, .max] {
            for region in regions(of: picture, turn: turn) {
                picture.withPlane { _ = RegionCopy(of: region, from: $0).rectified() }
            }
        }
    }
}
