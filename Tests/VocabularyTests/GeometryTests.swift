import TestSupport
import Testing

@testable import Vocabulary

@Suite struct ViewportTests {
    static let middle = Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)

    @Test func theFullViewportAdmitsWhateverLiesOnTheFrame() {
        for rule in Viewport.Rule.allCases {
            #expect(Viewport(rule: rule).admits(.at(0.05, 0.05)))
            #expect(Viewport(rule: rule).admits(.at(0.95, 0.95)))
        }
    }

    @Test(arguments: [(0.5, true), (0.26, true), (0.25, true), (0.24, false), (0.76, false)])
    func centreLooksAtTheCentreOnly(_ x: Double, _ isIn: Bool) {
        #expect(Viewport(rect: Self.middle, rule: .centre).admits(.at(x, 0.5)) == isIn)
    }

    @Test(arguments: [(0.5, true), (0.31, true), (0.29, false), (0.71, false)])
    func entireLooksAtEveryCorner(_ x: Double, _ isIn: Bool) {
        #expect(Viewport(rect: Self.middle, rule: .entire).admits(.at(x, 0.5)) == isIn)
        #expect(Viewport(rect: Self.middle, rule: .entire).admits(.at(0.5, x)) == isIn)
    }

    @Test func aTiltedCodeIsInsideOnlyWithItsLastCorner() {
        let diamond = Quad(
            Point(x: 0.5, y: 0.2), Point(x: 0.7, y: 0.5), Point(x: 0.5, y: 0.7), Point(x: 0.3, y: 0.5))
        #expect(!Viewport(rect: Self.middle, rule: .entire).admits(diamond))
        #expect(Viewport(rect: Self.middle, rule: .centre).admits(diamond))
    }
}

@Suite struct OrientationTests {
    static let all = Orientation.Rotation.allCases.flatMap { rotation in
        [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
    }

    @Test(arguments: all) func thereAndBackIsTheSamePoint(_ orientation: Orientation) {
        for point in [Point(x: 0, y: 0), Point(x: 0.2, y: 0.7), Point(x: 1, y: 0.3)] {
            let back = orientation.upright(fromDelivered: orientation.delivered(fromUpright: point))
            #expect(abs(back.x - point.x) < 1e-12 && abs(back.y - point.y) < 1e-12)
        }
    }

    @Test(arguments: [
        (Orientation.Rotation.none, 0.0, 0.0), (.clockwise90, 1.0, 0.0), (.half, 1.0, 1.0), (.clockwise270, 0.0, 1.0),
    ])
    func turningClockwiseMovesTheUpperLeftCornerClockwise(_ rotation: Orientation.Rotation, _ x: Double, _ y: Double) {
        let corner = Orientation(rotation: rotation).upright(fromDelivered: Point(x: 0, y: 0))
        #expect(corner == Point(x: x, y: y))
    }

    @Test func mirroringComesBeforeTurning() {
        // The delivered upper left becomes the upper right, and that the lower right.
        let corner = Orientation(rotation: .clockwise90, isMirrored: true).upright(fromDelivered: Point(x: 0, y: 0))
        #expect(corner == Point(x: 1, y: 1))
    }

    @Test(arguments: all) func aRectangleHoldsTheSamePointsOnBothFrames(_ orientation: Orientation) {
        let rect = Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.5)
        let delivered = orientation.delivered(fromUpright: rect)
        for point in [Point(x: 0.11, y: 0.21), Point(x: 0.39, y: 0.69), Point(x: 0.41, y: 0.3), Point(x: 0.2, y: 0.71)]
        {
            #expect(delivered.contains(orientation.delivered(fromUpright: point)) == rect.contains(point))
        }
    }
}

@Suite struct QuadTests {
    @Test func boundsHoldTheCorners() {
        let quad = Quad(Point(x: 0.5, y: 0.2), Point(x: 0.7, y: 0.5), Point(x: 0.5, y: 0.8), Point(x: 0.3, y: 0.5))
        #expect(quad.bounds.x == 0.3 && quad.bounds.y == 0.2)
        #expect(abs(quad.bounds.right - 0.7) < 1e-12 && abs(quad.bounds.bottom - 0.8) < 1e-12)
        #expect(abs(quad.centre.x - 0.5) < 1e-12 && abs(quad.centre.y - 0.5) < 1e-12)
    }

    @Test(arguments: [(0.5, 0.5, true), (0.35, 0.5, true), (0.5, 0.2, true), (0.32, 0.3, false), (0.5, 0.81, false)])
    func aTiltedQuadHoldsWhatLiesWithinItsEdges(_ x: Double, _ y: Double, _ isIn: Bool) {
        let quad = Quad(Point(x: 0.5, y: 0.2), Point(x: 0.7, y: 0.5), Point(x: 0.5, y: 0.8), Point(x: 0.3, y: 0.5))
        #expect(quad.contains(Point(x: x, y: y)) == isIn)
        let mirrored = Quad(quad.topRight, quad.topLeft, quad.bottomLeft, quad.bottomRight)
        #expect(mirrored.contains(Point(x: x, y: y)) == isIn)
    }

    @Test(arguments: [(0.0, 0.0, 1.0), (0.1, 0, 0.5), (0.1, 0.1, 0.25), (-0.1, 0.05, 0.375), (0.2, 0, 0), (0.5, 0, 0)])
    func quadsShareAPartOfTheirArea(_ x: Double, _ y: Double, _ share: Double) {
        let quad = Quad.at(0.4, 0.4, width: 0.2, height: 0.2)
        let other = quad.mapped { Point(x: $0.x + x, y: $0.y + y) }
        let mirrored = Quad(other.topRight, other.topLeft, other.bottomLeft, other.bottomRight)
        for other in [other, mirrored] {
            #expect(abs(quad.shared(with: other) - share) < 1e-9 && abs(other.shared(with: quad) - share) < 1e-9)
        }
    }

    @Test func theSmallerOneCountsAndATiltedOneIsCutAtItsEdges() {
        let quad = Quad.at(0.5, 0.5, width: 0.4, height: 0.4)
        let diamond = Quad(Point(x: 0.5, y: 0.2), Point(x: 0.8, y: 0.5), Point(x: 0.5, y: 0.8), Point(x: 0.2, y: 0.5))
        // Four corners of a tenth by a tenth are cut off, of each.
        #expect(abs(quad.shared(with: diamond) - 0.14 / 0.16) < 1e-9)
        #expect(abs(quad.shared(with: .at(0.5, 0.5, width: 0.1, height: 0.1)) - 1) < 1e-9)
        #expect(quad.shared(with: Quad(at: Point(x: 0.5, y: 0.5))) == 0)
        let crossed = Quad(quad.topLeft, quad.topRight, quad.bottomLeft, quad.bottomRight)
        #expect(quad.shared(with: crossed) == 0 && crossed.shared(with: quad) == 0)
    }

    @Test func mappingKeepsTheOrderOfTheCorners() {
        let turned = Quad.at(0.25, 0.25).mapped(Orientation(rotation: .clockwise90).upright)
        #expect(turned.topLeft.x > turned.bottomLeft.x)
        #expect(abs(turned.centre.x - 0.75) < 1e-12)
    }

    @Test func twoLooksAtATiltedCodeAreOnePlace() {
        // A code along the falling diagonal: its neighbour beside it is another place, its own scan line is not.
        let code = Quad(
            Point(x: 0.32, y: 0.28), Point(x: 0.72, y: 0.68), Point(x: 0.68, y: 0.72), Point(x: 0.28, y: 0.32))
        let line = Quad(
            Point(x: 0.31, y: 0.29), Point(x: 0.71, y: 0.69), Point(x: 0.71, y: 0.69), Point(x: 0.31, y: 0.29))
        let neighbour = code.mapped { Point(x: $0.x + 0.1, y: $0.y - 0.1) }
        #expect(code.isSamePlace(as: line) && line.isSamePlace(as: code))
        #expect(!code.isSamePlace(as: neighbour))
    }

    @Test func pointsWithoutExtentAreOnePlaceOnlyWhereTheyMeet() {
        let point = Quad.at(0.5, 0.5, width: 0, height: 0)
        #expect(point.isSamePlace(as: point))
        #expect(!point.isSamePlace(as: .at(0.6, 0.5, width: 0, height: 0)))
    }

    @Test func `a quad without an extent contains its point alone`() {
        let quad = Quad(at: Point(x: 0.5, y: 0.2))
        #expect(quad.isPoint && quad.contains(Point(x: 0.5, y: 0.2)))
        #expect(!quad.contains(Point(x: 0.6, y: 0.2)) && !quad.contains(Point(x: 0.1, y: 0.9)))
    }
}
