import Glibc
import Vocabulary

/// Coordinates of a code line: `along` it from its left end, and `across` it, which is along the bars; in pixels. And how the bars are bent:
/// by how much a bar is further along at some distance across.
struct BarFrame {
    let originX: Float
    let originY: Float
    /// Unit vector along the line.
    let alongX: Float
    let alongY: Float
    let length: Float
    let height: Float
    /// Shift of the bars per pixel across, and per squared pixel: slant, and a cylinder seen from the side.
    var slant: Float = 0
    var bend: Float = 0
    /// The same times the place along the line, from -0.5 to 0.5: perspective.
    var fan: Float = 0
    var fanBend: Float = 0

    /// `nil` if the line is too short or too thin for any code, or isn't finite.
    init?(_ line: CodeLine) {
        let (x, y) = (Float(line.right.x - line.left.x), Float(line.right.y - line.left.y))
        let length = (x * x + y * y).squareRoot()
        guard length >= Self.leastLength, length <= Self.mostLength, line.height >= 1, line.height <= 1e5,
            abs(line.left.x) <= Self.farthest, abs(line.left.y) <= Self.farthest
        else { return nil }
        originX = Float(line.left.x)
        originY = Float(line.left.y)
        alongX = x / length
        alongY = y / length
        self.length = length
        height = Float(line.height)
    }

    private static let leastLength: Float = 20
    private static let mostLength: Float = 20_000
    /// From the picture's first pixel, either way.
    private static let farthest = 1e6

    /// How far a bar at `along` is shifted at `across`.
    @inline(__always)
    func shift(_ along: Float, _ across: Float) -> Float {
        let place = along / length - 0.5
        return across * (slant + fan * place + across * (bend + fanBend * place))
    }

    func point(along: Float, across: Float) -> (x: Float, y: Float) {
        (originX + along * alongX - across * alongY, originY + along * alongY + across * alongX)
    }

    /// The same in pixels of the picture.
    func picturePoint(along: Float) -> Point {
        let point = point(along: along, across: 0)
        return Point(x: Double(point.x), y: Double(point.y))
    }
}
