import SoftReader
import Vocabulary

/// Reads bars that the decoders make nothing of, by the soft reader: EAN, UPC, Code 128, Code 39, ITF-14, Code 93 and Codabar that are too small, or too
/// blurred.
struct SoftRegionReader {
    /// Shorter ones, in pixels, have modules of half a pixel, which can't be read; longer ones take too long. The module that the
    /// locator estimates says nothing here: edges that blur has merged make it several times too large.
    private static let lengths = 48.0...800.0

    /// Above the reader's own least margin, as live frames come thirty times a second.
    private static let leastMargin: Float = 12

    private let reader: SoftReader

    init() {
        var reader = SoftReader()
        reader.acceptance.leastMargin = Self.leastMargin
        self.reader = reader
    }

    /// Whether it may find anything in such a region.
    func isOfUse(at region: LocatedRegion) -> Bool {
        region.kind == .bars && Self.lengths.contains(region.length)
    }

    /// On the picture itself: it lives on the sub-pixel phases of tilted rows, which a copy would blur.
    /// - Returns: a reading with corners in pixels of `picture`, without a number.
    func read(_ region: LocatedRegion, of picture: LumaPlane, as family: BarFamily) -> PassReading? {
        look(at: region, of: picture, as: family)?.reading(by: reader.acceptance)
            .map { PassReading($0, height: region.height) }
    }

    /// The best string of bars in a region, right or not; `nil` if nothing there resembles the family.
    func look(at region: LocatedRegion, of picture: LumaPlane, as family: BarFamily) -> SoftLook? {
        let line = CodeLine(left: region.ends.left, right: region.ends.right, height: region.height)
        return look(line, of: picture, as: family, by: reader)
    }

    /// What a look is worth as a reading; `nil` if it isn't beyond doubt.
    func reading(of look: SoftLook) -> SoftReading? { look.reading(by: reader.acceptance) }

    /// What it makes of bars that another decoder read.
    enum Opinion {
        /// The same.
        case agrees(PassReading)
        /// Something else, which is `nil` if it can't be sure of that either.
        case contradicts(PassReading?)
        case seesNothing
    }

    /// A string of bars that explains less of the profile is no opinion.
    private static let leastExplained: Float = 0.8

    /// Reads the same bars of an EAN, a UPC or a Code 128 again, between their ends.
    /// - Parameter reading: without a last separator, as a ballot keeps it.
    func opinion(on reading: PassReading, of picture: LumaPlane) -> Opinion {
        guard let line = CodeLine(reading) else { return .seesNothing }
        let family: BarFamily = reading.symbology == .code128 ? .code128 : .retail
        var lenient = Acceptance()
        lenient.leastMargin = 0
        lenient.leastExplained = Self.leastExplained
        // A wrong digit has a right check digit more often than not. A Code 128 without its check character may be of another length.
        lenient.needsCheck = family == .code128
        lenient.needsQuiet = false
        // Between the ends of what was read, nothing else is asked for: a part of it may look like a shorter code.
        var reader = reader
        reader.looksForParts = false
        guard let look = look(line, of: picture, as: family, by: reader), let seen = look.reading(by: lenient) else {
            return .seesNothing
        }
        let again = PassReading(seen, height: line.height)
        let data = again.withoutLastSeparator().bytes
        if data == reading.bytes || family == .retail && data.isSameNumber(as: reading.bytes) { return .agrees(again) }
        return .contradicts(look.reading(by: reader.acceptance).map { PassReading($0, height: line.height) })
    }

    private func look(
        _ line: CodeLine, of picture: LumaPlane, as family: BarFamily, by reader: SoftReader
    ) -> SoftLook? {
        reader.look(LumaSamples(picture), on: line, as: family)
    }
}

extension CodeLine {
    /// How many pixels are looked at on each side of a scan line, where a code shows only in that.
    private static let reach = 4.0

    /// From end to end of what was read.
    fileprivate init?(_ reading: PassReading) {
        let corners = reading.corners
        if reading.hasExtent {
            let line = corners.middleLine
            self.init(
                left: line.left, right: line.right, height: corners.topLeft.distance(to: corners.bottomLeft))
        } else if let line = reading.scanLine {
            self.init(left: line.left, right: line.right, height: 2 * Self.reach)
        } else {
            return nil
        }
    }
}

extension PassReading {
    /// A vote of the soft reader's, in the pass of its own.
    /// - Parameter height: of the bars, in pixels.
    fileprivate init(_ code: SoftReading, height: Double) {
        // Upright to the line that was read.
        let across = Point(
            x: -(code.right.y - code.left.y), y: code.right.x - code.left.x
        ).scaled(to: height / 2)
        self.init(
            symbology: code.symbology, bytes: code.bytes, text: String(latin1: code.bytes),
            aim: SymbologyRules.defaultAIM(for: code.symbology, isGS1: code.isGS1),
            corners: Quad(
                code.left.moved(by: across, -1), code.right.moved(by: across, -1), code.right.moved(by: across, 1),
                code.left.moved(by: across, 1)),
            scanLine: ScanLine(left: code.left, right: code.right), isInverted: false, decoder: .soft,
            strength: max(0, Int(min(code.margin, 1000))))
        let look: RegionLook =
            switch code.symbology {
            case .code128: .softCode128
            case .code39: .softCode39
            case .itf, .itf14: .softITF14
            case .code93: .softCode93
            case .codabar: .softCodabar
            default: .softRetail
            }
        pass = LivePlan.number(of: look.pass(over: .bars))
    }
}

extension [UInt8] {
    /// UPC-A is an EAN-13 that begins with 0, which some leave out.
    fileprivate func isSameNumber(as other: [UInt8]) -> Bool {
        func full(_ digits: [UInt8]) -> [UInt8] { digits.count == 12 ? [CheckDigit.zero] + digits : digits }
        return full(self) == full(other)
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
