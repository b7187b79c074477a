import ReaderProtocol
import Reading
import Settings
import Testing
import Vocabulary

@testable import Decoding

/// Which linear codes at the viewport's edge count, whatever the decoder reported about them, and however the camera is mounted.
@Suite struct LinearViewportTests {
    static let frame = FrameSize(width: 800, height: 600)
    static let rect = Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
    static let orientations = Orientation.Rotation.allCases.flatMap { rotation in
        [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
    }

    enum Edge: CaseIterable {
        case left, right, top, bottom
    }

    /// Paints an EAN-13 into the delivered frame and reads it in every live turn. Its box on the upright frame lies at `edge` of the
    /// viewport, with the fraction `inside` of its height or width within.
    /// - Returns: how many times it was read, and how many times admitted.
    private func look(
        _ orientation: Orientation, _ rule: Viewport.Rule, _ edge: Edge, inside: Double, isUpright: Bool
    ) -> (read: Int, admitted: Int) {
        let viewport = Viewport(rect: Self.rect, rule: rule)
        let view = FrameView(frame: Self.frame, viewport: viewport, margin: 0.2, orientation: orientation)
        let (module, bars) = (2.5, 22.0)
        let (width, height) = (95 * module, bars * module)
        // On the frame as the readers get it (mirrored, not turned); if it is turned, its sides swap on the upright frame.
        let upright = orientation.swapsSides ? (w: 600.0, h: 800.0) : (w: 800.0, h: 600.0)
        let box =
            isUpright ? (w: width / upright.w, h: height / upright.h) : (w: height / upright.w, h: width / upright.h)
        var centre = Point(x: 0.5, y: 0.5)
        switch edge {
        case .left: centre.x = Self.rect.x + (inside - 0.5) * box.w
        case .right: centre.x = Self.rect.right - (inside - 0.5) * box.w
        case .top: centre.y = Self.rect.y + (inside - 0.5) * box.h
        case .bottom: centre.y = Self.rect.bottom - (inside - 0.5) * box.h
        }
        let unmirrored = Orientation(rotation: orientation.rotation)
        let onCopy = unmirrored.delivered(fromUpright: centre)
        var picture = DecodingPicture(width: 800, height: 600)
        picture.paint(
            DecodingFixtures.ean13, x: onCopy.x * 800, y: onCopy.y * 600, module: module,
            degrees: isUpright == orientation.swapsSides ? 90 : 0, barHeight: bars)
        picture.addNoise(amplitude: 2, seed: 11)
        let crop = view.crop
        let copyX = orientation.isMirrored ? 800 - crop.x - crop.width : crop.x
        let copy = picture.cropped(x: copyX, y: crop.y, width: crop.width, height: crop.height)
        let engine = DecodeEngine(rules: DecodeRules(ReadingSettings()))
        let symbols = (0..<engine.quickTurnCount).flatMap { copy.read(by: engine, effort: .quick(turn: UInt32($0))) }
        #expect(symbols.allSatisfy { $0.text == "4006381333931" })
        return (symbols.count, view.upright(symbols).count)
    }

    @Test(arguments: orientations, Edge.allCases)
    func aCentreThatIsInsideCountsAndOneThatIsOutsideDoesNot(orientation: Orientation, edge: Edge) {
        for isUpright in [true, false] {
            let inside = look(orientation, .centre, edge, inside: 0.65, isUpright: isUpright)
            #expect(inside.read >= 1 && inside.admitted == inside.read)
            let outside = look(orientation, .centre, edge, inside: 0.35, isUpright: isUpright)
            #expect(outside.admitted == 0)
        }
    }

    @Test(arguments: orientations, Edge.allCases)
    func aCodeThatSticksOutIsNotEntire(orientation: Orientation, edge: Edge) {
        for isUpright in [true, false] {
            let inside = look(orientation, .entire, edge, inside: 1.2, isUpright: isUpright)
            #expect(inside.read >= 1 && inside.admitted == inside.read)
            let sticking = look(orientation, .entire, edge, inside: 0.8, isUpright: isUpright)
            #expect(sticking.read >= 1 && sticking.admitted == 0)
        }
    }
}
