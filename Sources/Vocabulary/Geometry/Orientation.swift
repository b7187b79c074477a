/// How the camera is mounted: what must be done to a delivered frame to make it upright.
///
/// First the frame is mirrored left to right (if `isMirrored`), then turned clockwise by `rotation`. Pixels are only ever
/// mirrored (while they are copied into the ring); rotation is applied to coordinates, because decoders read in any direction.
package struct Orientation: Hashable, Sendable {
    package enum Rotation: Int, CaseIterable, Hashable, Sendable {
        case none = 0
        case clockwise90 = 90
        case half = 180
        case clockwise270 = 270
    }

    package var rotation: Rotation
    package var isMirrored: Bool

    package init(rotation: Rotation = .none, isMirrored: Bool = false) {
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    package static let upright = Orientation()

    /// Whether the upright frame is as wide as the delivered one is high.
    package var swapsSides: Bool { rotation == .clockwise90 || rotation == .clockwise270 }

    package func upright(fromDelivered size: FrameSize) -> FrameSize {
        swapsSides ? FrameSize(width: size.height, height: size.width) : size
    }

    package func delivered(fromUpright size: FrameSize) -> FrameSize {
        swapsSides ? FrameSize(width: size.height, height: size.width) : size
    }

    /// A point of the upright frame (0…1) from a point of the delivered frame (0…1).
    package func upright(fromDelivered point: Point) -> Point {
        let p = isMirrored ? Point(x: 1 - point.x, y: point.y) : point
        switch rotation {
        case .none: return p
        case .clockwise90: return Point(x: 1 - p.y, y: p.x)
        case .half: return Point(x: 1 - p.x, y: 1 - p.y)
        case .clockwise270: return Point(x: p.y, y: 1 - p.x)
        }
    }

    /// The inverse of `upright(fromDelivered:)`.
    package func delivered(fromUpright point: Point) -> Point {
        let p: Point
        switch rotation {
        case .none: p = point
        case .clockwise90: p = Point(x: point.y, y: 1 - point.x)
        case .half: p = Point(x: 1 - point.x, y: 1 - point.y)
        case .clockwise270: p = Point(x: 1 - point.y, y: point.x)
        }
        return isMirrored ? Point(x: 1 - p.x, y: p.y) : p
    }

    /// A rectangle of the upright frame on the delivered frame.
    package func delivered(fromUpright rect: Rect) -> Rect {
        let a = delivered(fromUpright: Point(x: rect.x, y: rect.y))
        let b = delivered(fromUpright: Point(x: rect.right, y: rect.bottom))
        return Rect(x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
    }
}
