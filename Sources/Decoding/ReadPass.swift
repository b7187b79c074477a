import CZXing

/// One look at a picture: which decoder, for what, on which copy of it.
struct ReadPass: Hashable {
    /// Which codes are looked for; what of them the rules don't ask for is left out.
    enum Target: Hashable {
        case matrix
        /// The matrix codes that share the search for finder patterns, or are seen most: QR, Micro QR, Data Matrix.
        case commonMatrix
        /// The others.
        case otherMatrix
        case linear
        case dataBar
        case all
    }

    enum Binarizer: UInt8, Hashable {
        case localAverage = 0
        case globalHistogram = 1
        case fixedThreshold = 2
    }

    enum Method: Hashable {
        case zxing(Binarizer)
        /// Every n-th row and column is a scan line.
        case zbar(density: UInt8)
    }

    /// What is done to the picture first.
    enum Treatment: Hashable {
        case reduced(Int)
        /// In percent.
        case enlarged(Int)
        /// Wider by a factor, the height stays: more pixels a bar.
        case stretched(Int)
        case rotated(Int)
        case sharpened(radius: Int, amount: Int)
        case normalised(radius: Int)
        case blurred(radius: Int)
        case closed(radius: Int)
        /// One of nine overlapping quarters, row by row.
        case part(Int)
        /// One of fifteen overlapping sixths (a third of the width, half of the height), row by row.
        case tile(Int)
        /// One of 63 overlapping twentieths (a fifth of the width, a quarter of the height), row by row.
        case smallTile(Int)
    }

    var method: Method
    var target: Target
    /// One after the other.
    var treatments: [Treatment] = []
    /// Light codes on dark ground.
    var isInverted = false
    /// Also along columns.
    var rotates = true
    /// Every row rather than some of them.
    var triesHarder = true
    /// Also on smaller copies, as the library does it.
    var downscales = false
    var minLineCount: UInt8 = 2
}
