extension Quad {
    /// Whether two looks at equal data show the same code: the other's centre is within this one's extent.
    ///
    /// Decoders report a linear code as the scan lines that agreed, which may be one line anywhere in it, or some of its
    /// height. A single line counts as somewhere in a code whose height is `assumedAspect` of its width (EAN-13 at its nominal size: 22.85
    /// / 37.29 mm). With `arePartial`, either of the two may be part of the code's height: two decoders or two passes differ by that much
    /// about one code. It may even be just one of the code's ends: ZBar puts a code there that it has read along a single scan line, a
    /// little inside or outside of the other's end. If one look shows it at two places, they are two codes.
    package func isSamePlace(as other: Quad, arePartial: Bool = false) -> Bool {
        let middleLeft = topLeft.middle(to: bottomLeft)
        let middleRight = topRight.middle(to: bottomRight)
        let width = max(middleLeft.squaredDistance(to: middleRight), other.squaredWidth).squareRoot()
        let height = max(squaredHeight, other.squaredHeight).squareRoot()
        let isLine = height < width * Quad.lineAspect
        let assumed = width * Quad.assumedAspect
        let reach = arePartial ? max(height, assumed) : isLine ? assumed : height / 2
        // Two points: without an extent, nothing says that they are ends of two codes.
        guard width > 0 else { return arePartial || centre.squaredDistance(to: other.centre) <= reach * reach }
        // The other centre in this code's own directions: along its rows and across them.
        let rowLength = middleLeft.squaredDistance(to: middleRight).squareRoot()
        let along =
            rowLength > 0
            ? Point(x: (middleRight.x - middleLeft.x) / rowLength, y: (middleRight.y - middleLeft.y) / rowLength)
            : Point(x: 1, y: 0)
        let offset = Point(x: other.centre.x - centre.x, y: other.centre.y - centre.y)
        let rows = abs(offset.x * along.x + offset.y * along.y)
        let columns = abs(offset.y * along.x - offset.x * along.y)
        return rows <= width * (arePartial ? Quad.partialReach : 0.5) && columns <= reach
    }

    private static let lineAspect = 0.05
    private static let assumedAspect = 0.61
    /// Half the width and a tenth more. The near end of an equal code beside this one is farther away, because quiet zones are in between.
    private static let partialReach = 0.6

    private var squaredWidth: Double {
        topLeft.middle(to: bottomLeft).squaredDistance(to: topRight.middle(to: bottomRight))
    }

    private var squaredHeight: Double {
        topLeft.middle(to: topRight).squaredDistance(to: bottomLeft.middle(to: bottomRight))
    }
}

extension Point {
    package func squaredDistance(to other: Point) -> Double {
        (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
    }

    package func middle(to other: Point) -> Point { Point(x: (x + other.x) / 2, y: (y + other.y) / 2) }
}

extension Symbol {
    /// Whether `other`, from another look at the same scene, is this code again: the same data at the same place.
    package func isSameCode(as other: Symbol) -> Bool {
        guard symbology == other.symbology, bytes == other.bytes else { return false }
        let isOneLook =
            evidence.decoder == other.evidence.decoder && evidence.pass == other.evidence.pass
            && evidence.content == other.evidence.content
        return corners.isSamePlace(as: other.corners, arePartial: symbology.isLinear && !isOneLook)
    }
}
