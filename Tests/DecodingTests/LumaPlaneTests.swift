import Testing
import Vocabulary

@testable import Decoding

@Suite struct DecodingPlaneTests {
    /// One dark spot of 6x6 around a point.
    private func spotted(width: Int, height: Int, x: Int, y: Int) -> LumaPlane {
        LumaPlane(width: width, height: height, map: .identity) { out in
            for row in 0..<height {
                for column in 0..<width {
                    out[row * width + column] = abs(column - x) <= 3 && abs(row - y) <= 3 ? 0 : 200
                }
            }
        }
    }

    /// Where the dark spot lies, in the picture's pixels.
    private func spot(_ plane: LumaPlane) -> Point {
        var (sumX, sumY, weight) = (0.0, 0.0, 0.0)
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                let dark = max(0, 100 - Double(plane.row(y)[x]))
                sumX += dark * (Double(x) + 0.5)
                sumY += dark * (Double(y) + 0.5)
                weight += dark
            }
        }
        return plane.map(sumX / weight, sumY / weight)
    }

    @Test(
        arguments: [
            [.reduced(2)], [.reduced(3)], [.enlarged(150)], [.enlarged(200)], [.enlarged(300)], [.stretched(2)],
            [.magnified], [.magnified, .normalised(radius: 16)], [.bowedDown(20)], [.bowedAcross(-7)], [.rotated(22)],
            [.rotated(-45)],
            [.rotated(90)], [.sharpened(radius: 2, amount: 2)], [.blurred(radius: 1)], [.part(4)],
            [.rotated(22), .sharpened(radius: 2, amount: 2)], [.part(4), .enlarged(200)],
            [.reduced(2), .part(4), .rotated(45)],
        ] as [[ReadPass.Treatment]])
    func positionsInATreatedCopyMapBackToThePicture(treatments: [ReadPass.Treatment]) throws {
        var plane = spotted(width: 320, height: 240, x: 150, y: 100)
        for treatment in treatments { plane = try #require(treatment.applied(to: plane)) }
        let found = spot(plane)
        #expect(abs(found.x - 150.5) < 1 && abs(found.y - 100.5) < 1)
    }

    @Test func copiesThatMakeNoSenseAreNotMade() {
        let small = spotted(width: 40, height: 20, x: 10, y: 10)
        #expect(ReadPass.Treatment.reduced(2).applied(to: small) == nil)
        #expect(ReadPass.Treatment.part(0).applied(to: small) == nil)
        let large = LumaPlane(width: 3000, height: 2000, map: .identity) { $0.update(repeating: 0, count: 6_000_000) }
        #expect(ReadPass.Treatment.enlarged(200).applied(to: large) == nil)
        #expect(ReadPass.Treatment.stretched(2).applied(to: large) == nil)
        let huge = LumaPlane(width: 6000, height: 4100, map: .identity) { $0.update(repeating: 0, count: 24_600_000) }
        #expect(ReadPass.Treatment.rotated(22).applied(to: huge) == nil)
        #expect(ReadPass.Treatment.part(4).applied(to: huge) != nil)
    }

    @Test func filtersKeepFlatGreyFlat() {
        let flat = LumaPlane(width: 64, height: 48, map: .identity) { $0.update(repeating: 90, count: 64 * 48) }
        for treatment in [
            ReadPass.Treatment.blurred(radius: 2), .sharpened(radius: 3, amount: 4), .closed(radius: 1), .enlarged(200),
            .enlarged(300), .magnified,
        ] {
            let copy = treatment.applied(to: flat)
            #expect(
                copy.map { plane in
                    (0..<plane.height).allSatisfy { y in (0..<plane.width).allSatisfy { plane.row(y)[$0] == 90 } }
                } == true)
        }
    }

    @Test func invertingTwiceGivesThePictureBack() {
        let plane = spotted(width: 64, height: 48, x: 20, y: 20)
        let inverse = PlaneFilter(of: plane).inverted()
        let twice = PlaneFilter(of: inverse).inverted()
        #expect(twice.contentHash() == plane.contentHash())
        #expect(inverse.contentHash() != plane.contentHash())
    }
}
