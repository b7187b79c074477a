/// One figure of every cell of a picture (its mean luma, or its edges) over time, and how much it varies by itself: distinguishes changes
/// from noise.
struct CellTrace: Sendable {
    /// In 1/256 of a step, so that it can follow slowly.
    private(set) var reference: [Int32] = []
    /// The same for the picture that last counted as a change. This one doesn't follow, so a code that fades in slowly differs from it.
    private(set) var anchor: [Int32] = []
    /// The median difference of a cell between two frames of the same picture, in steps of luma.
    private var noise = 0.0

    /// A change that is alike in a whole row of cells is light, not a code: a band of flicker has edges, too.
    let ignoresWholeRows: Bool

    init(ignoresWholeRows: Bool) { self.ignoresWholeRows = ignoresWholeRows }

    /// Converts units of a signature to those of `reference`.
    static let scale = Int32(256 / FrameSignature.unit)

    var count: Int { reference.count }

    mutating func take(_ values: [UInt16]) {
        if reference.count != values.count { reference = Array(repeating: 0, count: values.count) }
        for index in reference.indices { reference[index] = Int32(values[index]) * Self.scale }
        anchor = reference
    }

    /// Moves the reference a sixteenth of the way to the picture.
    mutating func follow(_ values: [UInt16]) {
        for index in reference.indices {
            reference[index] += (Int32(values[index]) * Self.scale - reference[index]) / 16
        }
    }

    /// Whether cells differ by more than the noise allows: two cells from the reference, or one by twice as much; or two by twice as much from
    /// the anchor, because light drifts, too.
    /// - Parameters:
    ///   - gains: for each row of cells, the factor that makes it as bright as in the reference, × 256 × `scale`; likewise for the anchor.
    ///   - least: the smallest difference that counts, in steps of luma.
    mutating func differs(
        _ values: [UInt16], columns: Int, gains: [Int32], anchorGains: [Int32], least: Double,
        limits: ChangeGate.Limits
    ) -> Bool {
        let threshold = Int32(min(max(least, noise * limits.noiseFactor), max(least, limits.maxChange)) * 256)
        var histogram = DifferenceHistogram()
        var (changed, strongly, strayed) = (0, 0, 0)
        var start = 0
        for row in gains.indices {
            let cells = start..<start + columns
            let (gain, anchorGain) = (gains[row], anchorGains[row])
            let shift = ignoresWholeRows ? meanDifference(values, cells, gain, from: reference) : 0
            let anchorShift = ignoresWholeRows ? meanDifference(values, cells, anchorGain, from: anchor) : 0
            for index in cells {
                let value = Int32(values[index])
                let difference = abs(value * gain / 256 - reference[index] - shift)
                histogram.add(difference)
                if difference > threshold { changed += 1 }
                if difference > 2 * threshold { strongly += 1 }
                if abs(value * anchorGain / 256 - anchor[index] - anchorShift) > 2 * threshold { strayed += 1 }
            }
            start += columns
        }
        noise += (histogram.median - noise) / 8
        return changed >= 2 || strongly >= 1 || strayed >= 2
    }

    private func meanDifference(
        _ values: [UInt16], _ cells: Range<Int>, _ gain: Int32, from reference: [Int32]
    ) -> Int32 {
        var sum: Int32 = 0
        for index in cells { sum += Int32(values[index]) * gain / 256 - reference[index] }
        return sum / Int32(max(1, cells.count))
    }
}
