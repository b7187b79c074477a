import Vocabulary

/// The part of a frame that is copied for the readers, and the map from it back to the upright frame.
///
/// The copy is the viewport with a margin for quiet zones, mirrored if the camera's picture is, but not turned.
package struct FrameView: Hashable, Sendable {
    /// The whole frame as delivered.
    package let frame: FrameSize
    /// The part that is copied.
    package let crop: PixelRect
    package let orientation: Orientation
    package let viewport: Viewport

    /// A smaller viewport is widened to this, in pixels: nothing smaller can be read.
    package static let minSide = 32

    /// `margin` is a fraction of the upright frame's sides, 0…0.5. The result lies within the frame, whatever the arguments.
    package init(frame: FrameSize, viewport: Viewport, margin: Double, orientation: Orientation) {
        self.frame = frame
        self.orientation = orientation
        self.viewport = viewport
        let rect = viewport.rect
        let wanted = orientation.delivered(
            fromUpright: Rect(
                x: rect.x - margin, y: rect.y - margin, width: rect.width + 2 * margin,
                height: rect.height + 2 * margin))
        let (x, width) = Self.pixels(from: wanted.x, to: wanted.right, of: frame.width)
        let (y, height) = Self.pixels(from: wanted.y, to: wanted.bottom, of: frame.height)
        crop = PixelRect(x: x, y: y, width: width, height: height)
    }

    package var size: FrameSize { FrameSize(width: crop.width, height: crop.height) }

    /// Converts a point of the copy to one of the upright frame, both 0…1.
    package func upright(fromView point: Point) -> Point {
        let x = orientation.isMirrored ? 1 - point.x : point.x
        return orientation.upright(
            fromDelivered: Point(
                x: (Double(crop.x) + x * Double(crop.width)) / Double(frame.width),
                y: (Double(crop.y) + point.y * Double(crop.height)) / Double(frame.height)))
    }

    /// Converts symbols of the copy to symbols of the upright frame, without those that the viewport doesn't admit.
    package func upright(_ symbols: [Symbol]) -> [Symbol] {
        symbols.compactMap { symbol in
            var symbol = symbol
            symbol.corners = symbol.corners.mapped(upright(fromView:))
            return viewport.admits(symbol.corners) ? symbol : nil
        }
    }

    /// Converts places of the copy to places of the upright frame, without those that the viewport doesn't admit. All of the copy is
    /// always admitted.
    package func upright(_ unread: [UnreadCode]) -> [UnreadCode] {
        unread.compactMap { code in
            var code = code
            code.corners = code.corners.mapped(upright(fromView:))
            return code.kind == .picture || viewport.admits(code.corners) ? code : nil
        }
    }

    /// Converts places of the copy to places of the upright frame, also those in the margin: nothing is read from them.
    func upright(_ places: [CodePlace]) -> [CodePlace] {
        places.map { CodePlace(kind: $0.kind, corners: $0.corners.mapped(upright(fromView:))) }
    }

    /// What was read in the margin, where the viewport doesn't admit it; each code once.
    func outside(_ symbols: [Symbol]) -> [UnreadCode] {
        var found: [UnreadCode] = []
        for symbol in symbols {
            let corners = symbol.corners.mapped(upright(fromView:))
            guard !viewport.admits(corners), !found.contains(where: { $0.corners.contains(corners.centre) }) else {
                continue
            }
            found.append(
                UnreadCode(
                    corners: corners, kind: symbol.symbology.isLinear ? .linear : .matrix, cause: .outsideViewport,
                    symbology: symbol.symbology))
        }
        return found
    }

    /// The whole frame, upright.
    package var uprightSize: FrameSize { orientation.upright(fromDelivered: frame) }

    /// Whole pixels around `from`…`to` (0…1, may exceed that), at least `minSide` of them if there are that many.
    private static func pixels(from: Double, to: Double, of count: Int) -> (start: Int, length: Int) {
        let scale = Double(count)
        // A hundredth of a pixel of slack, so that 0.1 + 0.2 doesn't cost a pixel.
        var start = Int((from.clamped(to: 0...1) * scale + 0.01).rounded(.down))
        var end = Int((to.clamped(to: 0...1) * scale - 0.01).rounded(.up))
        let side = min(minSide, count)
        if end - start < side {
            start = max(0, min((start + end - side) / 2, count - side))
            end = start + side
        }
        return (start, min(end, count) - start)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
