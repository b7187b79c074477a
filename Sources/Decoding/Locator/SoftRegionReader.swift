import Glibc
import SoftReader
import Vocabulary

/// Reads bars that the decoders make nothing of, by the soft reader: EAN and UPC that are too small, or too blurred.
struct SoftRegionReader {
    private static let symbologies: Set<Symbology> = [.ean13, .ean8, .upcA, .upcE]
    /// Narrower modules, in pixels, can't be read; wider ones have edges, and take it longer.
    private static let modules = 0.4...4.0

    /// Above the reader's own least margin, as live frames come thirty times a second.
    private static let leastMargin: Float = 12

    private let reader: SoftReader
    private let isWanted: Bool

    /// - Parameter wanted: what the rules ask for.
    init(wanted: DecoderSymbologies) {
        var reader = SoftReader()
        reader.acceptance.leastMargin = Self.leastMargin
        self.reader = reader
        isWanted = !wanted.and(DecoderSymbologies(Self.symbologies)).isEmpty
    }

    /// Whether it may find anything in such a region.
    func isOfUse(at region: LocatedRegion) -> Bool {
        isWanted && region.kind == .bars && Self.modules.contains(region.module)
    }

    /// On the picture itself: it lives on the sub-pixel phases of tilted rows, which a copy would blur.
    /// - Returns: a reading with corners in pixels of `picture`, without a number.
    func read(_ region: LocatedRegion, of picture: LumaPlane) -> PassReading? {
        let samples = LumaSamples(
            pixels: picture.pixels, width: picture.width, height: picture.height, rowStride: picture.rowStride)
        let (c, s) = (cos(region.direction) * region.length / 2, sin(region.direction) * region.length / 2)
        let line = CodeLine(
            left: Point(x: region.centre.x - c, y: region.centre.y - s),
            right: Point(x: region.centre.x + c, y: region.centre.y + s), height: region.height)
        guard let code = reader.read(samples, on: line) else { return nil }
        // Upright to the line that was read, as high as the region.
        let across = Point(
            x: -(code.right.y - code.left.y), y: code.right.x - code.left.x
        ).scaled(to: region.height / 2)
        var reading = PassReading(
            symbology: code.symbology, bytes: code.digits, aim: "",
            corners: Quad(
                code.left.moved(by: across, -1), code.right.moved(by: across, -1), code.right.moved(by: across, 1),
                code.left.moved(by: across, 1)),
            isInverted: false, decoder: .soft, lineCount: max(0, Int(min(code.margin, 1000))))
        reading.text = String(decoding: code.digits, as: UTF8.self)
        reading.aim = SymbologyRules.defaultAIM(for: code.symbology, isGS1: false)
        reading.scanLine = PassReading.ScanLine(left: code.left, right: code.right)
        reading.takeExtent(in: picture)
        return reading
    }
}

extension Point {
    /// As a vector: the same direction, of this length.
    fileprivate func scaled(to length: Double) -> Point {
        let own = (x * x + y * y).squareRoot()
        return own > 0 ? Point(x: x * length / own, y: y * length / own) : self
    }

    fileprivate func moved(by vector: Point, _ times: Double) -> Point {
        Point(x: x + vector.x * times, y: y + vector.y * times)
    }
}
