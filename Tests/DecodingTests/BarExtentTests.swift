import Glibc
import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

@Suite struct BarExtentTests {
    private static let rules: DecodeRules = {
        var rules = DecodeRules(ReadingSettings())
        rules.symbologies[.codabar] = .init()
        return rules
    }()

    static let samples =
        LinearSample.common + [LinearSample(name: "Codabar", rows: DecodingFixtures.codabar, modules: 83)]

    /// The corners of a code painted in the middle of `picture`, 0…1.
    private func truth(
        _ picture: DecodingPicture, _ sample: LinearSample, module: Double, degrees: Double, height: Double
    )
        -> Quad
    {
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        // Whole hexadecimal digits are painted around the centre.
        let left = -Double(sample.rows[0].count) * 4 * module / 2
        let right = left + sample.modules * module
        let half = height * module / 2
        func corner(_ u: Double, _ v: Double) -> Point {
            Point(
                x: 0.5 + (c * u - s * v) / Double(picture.width), y: 0.5 + (s * u + c * v) / Double(picture.height))
        }
        return Quad(corner(left, -half), corner(right, -half), corner(right, half), corner(left, half))
    }

    @Test(arguments: samples, [0.0, 4, 90, 176, 180, 270])
    func everyPassGivesALinearCodeItsOwnCorners(sample: LinearSample, degrees: Double) {
        let (module, height) = (2.0, 40.0)
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(sample.rows, x: 320, y: 240, module: module, degrees: degrees, barHeight: height)
        picture.addNoise(amplitude: 6, seed: 7)
        let engine = DecodeEngine(rules: Self.rules)
        let truth = truth(picture, sample, module: module, degrees: degrees, height: height)
        var looks = 0
        let quick = (0..<UInt32(engine.quickTurnCount)).map { ReadEffort.quick(turn: $0) }
        let thorough = (0..<UInt32(engine.thoroughTurnCount)).map { ReadEffort.thorough(turn: $0) }
        for effort in quick + thorough {
            for symbol in picture.read(by: engine, effort: effort) {
                looks += 1
                let worst =
                    zip(symbol.corners.points, truth.points).map { corner, true_ in
                        hypot((corner.x - true_.x) * 640, (corner.y - true_.y) * 480)
                    }.max() ?? 0
                #expect(
                    worst <= 7,
                    "\(symbol.symbology) \(symbol.evidence), \(effort): \(symbol.corners.bounds)")
            }
        }
        #expect(looks >= 1)
    }

    @Test func aCodeIsFollowedThroughAScratchButNotIntoTheNextOne() {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.paint(DecodingFixtures.ean13, x: 320, y: 120, barHeight: 50)
        picture.paint(DecodingFixtures.ean13, x: 320, y: 300, barHeight: 50)
        picture.fill(x: 100, y: 105, width: 440, height: 3, 220)
        let quad = picture.extent(fromLineAt: 80, left: 176, right: 461)
        #expect(abs((quad?.bounds.y ?? 0) - 45) < 4)
        #expect(abs((quad?.bounds.bottom ?? 0) - 195) < 4)
    }

    @Test func aLineWithoutBarsHasNoExtent() {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.addNoise(amplitude: 3, seed: 3)
        #expect(picture.extent(fromLineAt: 200, left: 100, right: 500) == nil)
        #expect(picture.extent(fromLineAt: 200, left: 100, right: 110) == nil)
    }

    @Test(arguments: [176, 461, 320], [false, true])
    func oneEndOfACodeIsEnoughToFindTheOther(known: Int, isVertical: Bool) {
        var picture = DecodingPicture(width: 640, height: 640)
        picture.paint(DecodingFixtures.ean13, x: 320, y: 320, degrees: isVertical ? 90 : 0)
        picture.addNoise(amplitude: 4, seed: 5)
        let bars = picture.withPlane {
            BarEnds(plane: $0).bars(onLine: 320, isVertical: isVertical, known: known...known)?.range
        }
        #expect(abs((bars?.lowerBound ?? 0) - 176) <= 3)
        #expect(abs((bars?.upperBound ?? 0) - 461) <= 3)
    }

    @Test func paperIsNotACode() {
        var picture = DecodingPicture(width: 640, height: 480)
        picture.addNoise(amplitude: 4, seed: 5)
        #expect(
            picture.withPlane { BarEnds(plane: $0).bars(onLine: 100, isVertical: false, known: 300...300)?.range }
                == nil)
        #expect(
            picture.withPlane { BarEnds(plane: $0).bars(onLine: 480, isVertical: false, known: 300...300)?.range }
                == nil)
    }
}

extension DecodingPicture {
    fileprivate func extent(fromLineAt y: Double, left: Double, right: Double) -> Quad? {
        withPlane { BarExtent(plane: $0).corners(left: Point(x: left, y: y), right: Point(x: right, y: y)) }
    }
}
