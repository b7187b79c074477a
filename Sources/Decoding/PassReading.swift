import Vocabulary

/// What one decoder read at one place in one pass, before rules and agreement.
struct PassReading {
    var symbology: Symbology
    /// The data as the code carries it, without an add-on.
    var bytes: [UInt8]
    /// The decoder's idea of the text.
    var text: String?
    /// The code names its character set, so `text` is right by definition.
    var hasCharacterSet = false
    /// Empty if the decoder gives none.
    var aim: String
    /// In pixels of the picture.
    var corners: Quad
    /// Where the bars of a linear code were crossed, from its left end to its right end, in pixels of the picture.
    var scanLine: ScanLine?
    /// `corners` are the code's own, as `BarExtent` found them; otherwise a linear code's corners are those of some of its scan lines.
    var hasExtent = false
    var isInverted: Bool
    var decoder: Evidence.Decoder
    /// See `Evidence.strength`.
    var strength: Int
    var addOn: String?
    var structuredAppend: StructuredAppend?
    /// The number of the pass in its plan.
    var pass = 0
    /// The hash of the frame that it was read in, where passes look at several; `nil`: there is one picture.
    var content: UInt64?

    /// A line across all bars of a linear code.
    struct ScanLine {
        var left: Point
        var right: Point
    }

    /// Follows the bars of a linear code in `picture`, if there is a line to begin at. Leaves stacked codes (DataBar can be stacked) as they
    /// are: their rows differ.
    mutating func takeExtent(in picture: LumaPlane) {
        guard let scanLine, symbology.isLinear, symbology != .dataBar, symbology != .dataBarExpanded,
            let extent = BarExtent(plane: picture).corners(left: scanLine.left, right: scanLine.right)
        else { return }
        corners = extent
        hasExtent = true
    }

    /// Whether it is a code of its own in `picture`, and no part of a larger one.
    func isWhole(on picture: LumaPlane) -> Bool {
        // The soft reader has looked at start, stop and paper itself, where bars may be too small for this.
        (decoder == .soft || InterleavedEnds(plane: picture).areSeen(of: self))
            && MicroQuietZone(plane: picture).isSeen(around: self)
    }

    /// Without an FNC1 at the end of a Code 128, where it separates nothing. ZBar doesn't tell of one: a label would be two codes.
    func withoutLastSeparator() -> PassReading {
        guard symbology == .code128, bytes.last == Self.separator else { return self }
        var reading = self
        reading.bytes.removeLast()
        if reading.text?.utf8.last == Self.separator { reading.text?.unicodeScalars.removeLast() }
        return reading
    }

    /// GS, which decoders give for FNC1.
    private static let separator: UInt8 = 0x1D

    /// ZBar accepts a linear code from a single scan line; ZXing wants two equal ones. In a blurry frame, a single line can give a number
    /// that isn't there, with a correct check digit; and a scan may rest on one live frame alone.
    var hasAgreeingLines: Bool { decoder != .zbar || !symbology.isLinear || strength >= 2 }

    /// The data as text: as UTF-8 if it is valid UTF-8, which many codes carry without saying so; by the code's own character set if it
    /// names one; otherwise by the decoder's guess.
    var bestText: String? {
        if hasCharacterSet, let text { return text }
        return String(validating: bytes, as: UTF8.self) ?? text
    }
}

extension Quad {
    /// From the middle of the left side to that of the right one.
    var middleLine: PassReading.ScanLine {
        PassReading.ScanLine(left: topLeft.middle(to: bottomLeft), right: topRight.middle(to: bottomRight))
    }

    /// Corners in pixels of a plane, in the order of a C array of eight numbers.
    init(_ c: (Int32, Int32, Int32, Int32, Int32, Int32, Int32, Int32), by map: PlaneMap) {
        // Decoders name pixels, and mean their centres.
        func point(_ x: Int32, _ y: Int32) -> Point { map(Double(x) + 0.5, Double(y) + 0.5) }
        self.init(point(c.0, c.1), point(c.2, c.3), point(c.4, c.5), point(c.6, c.7))
    }
}
