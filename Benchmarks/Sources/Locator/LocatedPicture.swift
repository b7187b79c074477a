import Decoding
import Foundation
import ReaderProtocol
import Vocabulary

/// What the locator finds in one picture of the corpus, what it costs, and what is read of its regions.
struct LocatedPicture {
    /// One code that the picture shows.
    struct Code {
        var isLinear: Bool
        /// `nil`: nobody knows its place; then only reading a region shows that it was found.
        var isCovered: Bool?
        var isInStill: Bool
        var isInLive: Bool
        /// Read of a region's copy.
        var isInRegion = false
        /// The place of the region that covers it, or of which it is read, in the regions' order.
        var rank: Int?
    }

    var path: String
    var codes: [Code]
    var regionCount: Int
    /// Read of regions and not there.
    var wrong: Set<String> = []
    /// Wrong ones that whole frames give, too.
    var wrongAnyway: Set<String> = []
    /// Milliseconds of processor time, least of three.
    var sumsTime: Double
    var locateTime: Double
    var zbarTime: Double
    /// Milliseconds for all looks at a region, by region.
    var readTimes: [Double] = []

    init(_ picture: CorpusPicture, _ shown: ShownPicture, _ luma: LumaView, whole: WholeReadings) {
        path = picture.path
        let locator = Locator()
        sumsTime = Self.milliseconds { _ = locator.sums(of: luma) }
        locateTime = Self.milliseconds { _ = locator.regions(of: luma) }
        zbarTime = Self.milliseconds(turns: 1) { _ = DecoderDefaults.zbar(luma) }
        let regions = locator.regions(of: luma)
        regionCount = regions.count
        let still = Self.verdict(whole.still, picture, shown)
        let live = Self.verdict(whole.live, picture, shown)
        wrongAnyway = still.wrong.union(live.wrong)
        codes = (0..<picture.codeCount).map { index in
            var code = Code(
                isLinear: picture.quads == nil && Self.isLinear(picture.group), isInStill: still.right.contains(index),
                isInLive: live.right.contains(index))
            guard let quad = Self.quad(of: index, picture, shown, whole) else { return code }
            code.rank = regions.firstIndex { code.isLinear ? $0.covers(bars: quad) : $0.covers(matrix: quad) }
            code.isCovered = code.rank != nil
            return code
        }
        let probe = RegionProbe(rules: Contestant.rules)
        for (rank, region) in regions.enumerated() {
            var readings: [WholeReadings.Code] = []
            readTimes.append(
                Self.milliseconds(turns: 1) {
                    for look in RegionLook.allCases {
                        readings += probe.read(luma, region, by: look).map { WholeReadings.Code($0, in: luma.size) }
                    }
                })
            let verdict = Self.verdict(readings, picture, shown)
            wrong.formUnion(verdict.wrong)
            for index in verdict.right where !codes[index].isInRegion {
                codes[index].isInRegion = true
                codes[index].rank = codes[index].rank ?? rank
            }
        }
    }

    private static func verdict(
        _ codes: [WholeReadings.Code], _ picture: CorpusPicture, _ shown: ShownPicture
    ) -> Verdict {
        Verdict(
            codes.compactMap { code in
                var reading = code.reading
                reading?.centre = inPicture(code.quad.centre, shown)
                return reading
            }, of: picture)
    }

    private static func inPicture(_ point: Point, _ shown: ShownPicture) -> Point {
        shown.inPicture(
            Point(x: point.x / Double(ShownPicture.size.width), y: point.y / Double(ShownPicture.size.height)))
    }

    /// In pixels of the frame: as the truth says, or as whole frames give it.
    private static func quad(
        of index: Int, _ picture: CorpusPicture, _ shown: ShownPicture, _ whole: WholeReadings
    ) -> Quad? {
        if let quads = picture.quads {
            let corners = quads[index].map { Point(x: $0[0], y: $0[1]) }
            guard corners.count == 4 else { return nil }
            return Quad(corners[0], corners[1], corners[2], corners[3]).mapped(shown.inFrame)
        }
        let accepted = picture.text.map { Meaning.accepted(for: $0, group: picture.group) } ?? []
        return (whole.still + whole.live).first { $0.reading.map { accepted.contains(Meaning.of($0)) } ?? false }?.quad
    }

    private static func isLinear(_ group: String) -> Bool {
        let matrix = ["aztec", "datamatrix", "maxicode", "microqr", "pdf417", "qrcode", "rmqr"]
        return !matrix.contains { group.hasPrefix($0) }
    }

    private static func milliseconds(turns: Int = 3, _ body: () -> Void) -> Double {
        (0..<turns).map { _ in VirtualCore().run(body).cost.milliseconds }.min() ?? 0
    }
}

extension ShownPicture {
    /// Converts pixels of the picture to pixels of the frame.
    func inFrame(_ point: Point) -> Point {
        let (origin, unit) = (inPicture(Point(x: 0, y: 0)), inPicture(Point(x: 1, y: 1)))
        return Point(
            x: (point.x - origin.x) / (unit.x - origin.x) * Double(Self.size.width),
            y: (point.y - origin.y) / (unit.y - origin.y) * Double(Self.size.height))
    }
}

extension LocatedRegion {
    /// Whether a copy of this region shows all bars on the middle line of a linear code, and they stand about upright in it.
    fileprivate func covers(bars quad: Quad) -> Bool {
        guard kind == .bars else { return false }
        let (left, right) = (quad.topLeft.middle(to: quad.bottomLeft), quad.topRight.middle(to: quad.bottomRight))
        // A code seen obliquely is crossed along its own line, or square to its bars.
        let along = atan2(right.y - left.y, right.x - left.x)
        let square = atan2(quad.bottomLeft.y - quad.topLeft.y, quad.bottomLeft.x - quad.topLeft.x) + .pi / 2
        guard [along, square].contains(where: { abs(sin($0 - direction)) < 0.2 }) else { return false }
        let reach = length / 2 + max(module * 12, 8)
        let (a, b) = (inner(left), inner(right))
        return max(abs(a.x), abs(b.x)) <= reach && abs(a.y + b.y) / 2 <= height / 2 + 4
            && max(abs(a.y), abs(b.y)) <= height / 2 + 0.1 * length
    }

    /// Whether a copy of this region shows a matrix code, and not much besides. The rows of a PDF417 are bars.
    fileprivate func covers(matrix quad: Quad) -> Bool {
        let quiet = max(module * 12, 8)
        let isInside = quad.points.map(inner).allSatisfy {
            abs($0.x) <= length / 2 + quiet && abs($0.y) <= height / 2 + quiet
        }
        let side = hypot(quad.topLeft.x - quad.bottomRight.x, quad.topLeft.y - quad.bottomRight.y)
        return isInside && max(length, height) <= 4 * side
    }

    /// In pixels along `direction` and across it, from the centre.
    private func inner(_ point: Point) -> Point {
        let (c, s) = (cos(direction), sin(direction))
        let (dx, dy) = (point.x - centre.x, point.y - centre.y)
        return Point(x: c * dx + s * dy, y: c * dy - s * dx)
    }
}
