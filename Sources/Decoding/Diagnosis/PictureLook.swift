import Vocabulary

/// What is wrong with a whole picture in which nothing is read and nothing looks like a code: somebody may hold one before the camera all the
/// same, so blurred that nothing is left of its bars, or in the dark.
struct PictureLook {
    /// Rows, and columns, that are looked at.
    private static let lines = 32
    /// Luma of the lightest part.
    private static let darkest = 40
    /// Lower steps of light may be shadows, or noise.
    private static let leastRise = 48
    /// Fewer edges say nothing about the lens.
    private static let fewestEdges = 24
    /// Pixels that the sharpest tenth of all edges is wide.
    private static let widestEdge: Float = 7

    let cause: UnreadCause
    let figure: Double

    /// `nil` if nothing is wrong with it, or there is nothing in it.
    init?(_ picture: LumaPlane) {
        guard min(picture.width, picture.height) >= LumaPlane.shortestSide else { return nil }
        let rows = (0..<min(Self.lines, picture.height)).map { picture.height * (2 * $0 + 1) / (2 * Self.lines) }
        let columns = (0..<min(Self.lines, picture.width)).map { picture.width * (2 * $0 + 1) / (2 * Self.lines) }
        let lines =
            rows.map { picture.smoothLine(from: $0 * picture.rowStride, count: picture.width, step: 1) }
            + columns.map { picture.smoothLine(from: $0, count: picture.height, step: picture.rowStride) }
        let light = LightFigures(lines.joined())
        guard light.light >= Self.darkest else {
            (cause, figure) = (.tooDark, Double(light.light))
            return
        }
        let widths = lines.flatMap { LineEdges($0, least: Self.leastRise).edges.map(\.width) }.sorted()
        guard widths.count >= Self.fewestEdges, case let width = widths[widths.count / 10], width >= Self.widestEdge
        else { return nil }
        (cause, figure) = (.blurred, Double(width))
    }
}

extension LumaPlane {
    /// Each sample with half of its neighbours, so that noise makes no edges.
    fileprivate func smoothLine(from first: Int, count: Int, step: Int) -> [Int16] {
        guard count > 2 else { return [] }
        return (1..<count - 1).map { index in
            let place = first + index * step
            return (Int16(pixels[place - step]) + 2 * Int16(pixels[place]) + Int16(pixels[place + step])) / 4
        }
    }
}
