import CZBar
import ReaderProtocol
import Vocabulary

/// ZBar's scanner. One per thread.
final class ZBarDecoder {
    /// `nil` if there was no memory for it; then nothing is read.
    private let scanner: OpaquePointer?

    init() { scanner = CZBar_create() }

    deinit { CZBar_destroy(scanner) }

    /// - Parameter density: reads every n-th row and column.
    func read(_ plane: LumaPlane, density: UInt8, rotates: Bool, symbologies: DecoderSymbologies) -> [PassReading] {
        guard let scanner else { return [] }
        let plane = plane.contiguous()
        var options = CZBar_Options()
        options.symbologies = symbologies.mask
        options.x_density = rotates ? density : 0
        options.y_density = density
        var found = CZBar_Symbols()
        let status = CZBar_read(scanner, plane.pixels, Int32(plane.width), Int32(plane.height), &options, &found)
        defer { CZBar_free(&found) }
        guard Int(status) == CZBAR_OK else { return [] }
        return UnsafeBufferPointer(start: found.items, count: found.count).compactMap { symbol in
            guard var reading = PassReading(symbol, by: plane.map) else { return nil }
            let bars = plane.bars(of: symbol)
            // Bars that don't fit the symbology count as one line: it stands only if another pass reads the same.
            if !BarCount(of: reading).fits(bars?.edges) { reading.strength = min(1, reading.strength) }
            reading.scanLine = bars?.line
            return reading
        }
    }
}

/// How many edges a scan line across a linear code has. ZBar puts the halves of an EAN or UPC together wherever they stand, and takes the left half
/// of an EAN for a UPC-E without a look at what comes after its end.
struct BarCount {
    /// `nil`: the symbology doesn't say.
    private var fitting: ClosedRange<Int>?
    /// Whether there must be bars halfway between ZBar's hits, as the halves of an EAN stand in one line.
    private var mustShow = false

    init(of reading: PassReading) {
        // Bars and spaces of EAN and UPC: GS1 General Specifications, 5.2. Blur merges edges, and one half has half of them; the corpus has an
        // UPC-A with 39 of 60 that is right.
        switch reading.symbology {
        case .ean13, .upcA: (fitting, mustShow) = (36...Int.max, true)
        case .ean8: (fitting, mustShow) = (27...Int.max, true)
        // 34, and 44 in a picture of the corpus; an EAN-13 has 60.
        case .upcE: fitting = 0...46
        default: break
        }
    }

    /// - Parameter edges: `nil`: there are no bars.
    func fits(_ edges: Int?) -> Bool {
        guard let fitting else { return true }
        return edges.map(fitting.contains) ?? !mustShow
    }
}

extension LumaPlane {
    /// A scan line across what ZBar saw of a linear code, the middle one of its hits, and how many edges it crosses.
    fileprivate func bars(of symbol: CZBar_Symbol) -> (line: PassReading.ScanLine, edges: Int)? {
        // Corners go round from the code's own top left, or are all the same point.
        let c = symbol.corners
        let (xs, ys) = ([Int(c.0), Int(c.2), Int(c.4), Int(c.6)], [Int(c.1), Int(c.3), Int(c.5), Int(c.7)])
        guard Symbology(code: symbol.symbology)?.isLinear == true, let left = xs.min(), let right = xs.max(),
            let top = ys.min(), let bottom = ys.max()
        else { return nil }
        let isVertical = symbol.is_vertical != 0
        let line = isVertical ? (left + right) / 2 : (top + bottom) / 2
        let known = isVertical ? top...bottom : left...right
        guard let bars = BarEnds(plane: self).bars(onLine: line, isVertical: isVertical, known: known) else {
            return nil
        }
        func point(_ along: Int) -> Point {
            let (along, across) = (Double(along) + 0.5, Double(line) + 0.5)
            return isVertical ? map(across, along) : map(along, across)
        }
        // If the code was read backwards, its left end is the other one.
        let isBackward = isVertical ? ys[0] > ys[2] : xs[0] > xs[2]
        let (first, last) = (point(bars.range.lowerBound), point(bars.range.upperBound))
        return (
            PassReading.ScanLine(left: isBackward ? last : first, right: isBackward ? first : last), bars.edges
        )
    }
}

extension PassReading {
    init?(_ symbol: CZBar_Symbol, by map: PlaneMap) {
        guard let symbology = Symbology(code: symbol.symbology), let data = symbol.bytes else { return nil }
        self.init(
            symbology: symbology,
            bytes: Array(UnsafeBufferPointer(start: data, count: symbol.byte_count)),
            aim: SymbologyRules.defaultAIM(for: symbology, isGS1: symbol.is_gs1 != 0),
            corners: Quad(symbol.corners, by: map),
            isInverted: false,
            decoder: .zbar,
            strength: symbology.isLinear ? Int(symbol.quality) : 0)
    }
}
