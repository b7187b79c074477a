import Vocabulary

/// What one decoder said of one place in one pass, before rules and agreement.
struct PassReading {
    var symbology: Symbology
    /// Data as the code carries it, without an add-on.
    var bytes: [UInt8]
    /// The decoder's idea of the text.
    var text: String?
    /// The code names its character set, so that `text` is right by definition.
    var hasCharacterSet = false
    /// Empty if the decoder gives none.
    var aim: String
    /// In pixels of the picture.
    var corners: Quad
    /// Where a linear code's bars were crossed, from its left end to its right one, in pixels of the picture.
    var scanLine: ScanLine?
    /// `corners` are the code's own, as `BarExtent` saw them; a linear code's are those of some of its scan lines otherwise.
    var hasExtent = false
    var isInverted: Bool
    var decoder: Evidence.Decoder
    /// Scan lines that agreed.
    var lineCount: Int
    var addOn: String?
    var structuredAppend: StructuredAppend?
    /// Number of the pass in its plan.
    var pass = 0

    /// A line across all bars of a linear code.
    struct ScanLine {
        var left: Point
        var right: Point
    }

    /// Follows the bars of a linear code in `picture`, where there is a line to begin at. Stacked ones (DataBar may be) are left
    /// as they are: their rows differ.
    mutating func takeExtent(in picture: LumaPlane) {
        guard let scanLine, symbology.isLinear, symbology != .dataBar, symbology != .dataBarExpanded,
            let extent = BarExtent(plane: picture).corners(left: scanLine.left, right: scanLine.right)
        else { return }
        corners = extent
        hasExtent = true
    }

    /// ZBar takes a linear code from a single scan line, where ZXing asks for two equal ones. In a blurry frame that gives
    /// numbers whose check digit is right and which aren't there; one live frame may be all a scan rests on.
    var hasAgreeingLines: Bool { decoder != .zbar || !symbology.isLinear || lineCount >= 2 }

    /// The data as text: UTF-8 where it is UTF-8, as many codes carry it without saying so; by the code's own character set
    /// where it names one; by the decoder's guess otherwise.
    var bestText: String? {
        if hasCharacterSet, let text { return text }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}

extension Quad {
    /// Corners in pixels of a plane, in the order of a C array of eight numbers.
    init(_ c: (Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32), by map: PlaneMap) {
        // Decoders name pixels; their middles are meant.
        func point(_ x: Int32, _ y: Int32) -> Point { map(Double(x) + 0.5, Double(y) + 0.5) }
        self.init(point(c.0, c.1), point(c.2, c.3), point(c.4, c.5), point(c.6, c.7))
    }
}
