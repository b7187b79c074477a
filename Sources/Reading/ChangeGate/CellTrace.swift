/// One figure of every cell of a picture (its mean luma, or its edges) over time, and how much it varies by itself: distinguishes changes
/// from noise.
struct CellTrace: Sendable {
    /// In 1/256 of a step, so that it can follow slowly.
    private(set) var reference: [Int32] = []
    /// The same for the picture that last counted as a change. This one doesn't follow, so a code that fades in slowly differs from it.
    private(set) var anchor: [Int32] = []
    /// The median difference of a cell from the reference, in steps of luma.
    private var noise = 0.0
    /// More than this is no noise in a picture that has changed: all of it moves. Ten steps of noise give 1 to 2.
    private static let mostNoiseOfChange = 2.0
    /// How much each cell differs from one frame to the next by itself, in 1/256 of a step: where a picture has many edges, noise changes their sum several
    /// times as much as elsewhere. Not how far it is from the reference: what fades in would count as noise.
    private var variations: [Int32] = []
    /// As bright as the reference.
    private var latest: [Int32] = []
    /// How many frames have followed since the picture counted as changed.
    private var age: Int32 = 0

    /// How many frames there were, up to as many as `noise` and `variations` are means of; what was expected counts as one.
    private var learned: Int32 = 1
    private static let mostLearned: Int32 = 8

    /// How much a cell of a new picture is expected to vary, as its texture isn't known yet: an eighth of its figure, but at most this, in steps of luma, or that
    /// multiple of `noise`. Edges of texture vary by so much under the noise of a small sensor (40 dB at white), however high they are: each is one pixel's
    /// noise less or more.
    private let mostExpected: (steps: Double, noise: Double)

    /// A change that is alike in a whole row of cells is light, not a code: a band of flicker has edges, too.
    let ignoresWholeRows: Bool

    private init(ignoresWholeRows: Bool, mostExpected: (steps: Double, noise: Double)) {
        self.ignoresWholeRows = ignoresWholeRows
        self.mostExpected = mostExpected
    }

    static let means = CellTrace(ignoresWholeRows: false, mostExpected: (0, 0))
    static let edges = CellTrace(ignoresWholeRows: true, mostExpected: (1.4, 5.4))

    /// Converts units of a signature to those of `reference`.
    static let scale = Int32(256 / FrameSignature.unit)

    var count: Int { reference.count }

    mutating func take(_ values: [UInt16]) {
        if reference.count != values.count {
            reference = Array(repeating: 0, count: values.count)
            variations = reference
        }
        let most = Int32(max(mostExpected.steps, mostExpected.noise * noise) * 256)
        for index in reference.indices {
            reference[index] = Int32(values[index]) * Self.scale
            variations[index] = max(variations[index], min(reference[index] / 8, most))
        }
        anchor = reference
        latest = reference
        age = 0
    }

    /// Makes the reference the mean of the first frames; then moves it a sixteenth of the way to the picture.
    mutating func follow(_ values: [UInt16]) {
        age = min(age + 1, 15)
        for index in reference.indices {
            reference[index] += (Int32(values[index]) * Self.scale - reference[index]) / (age + 1)
        }
    }

    /// Whether cells differ by more than their noise allows: two cells from the reference, or one by twice as much; or two by twice as much from
    /// the anchor, because light drifts, too.
    /// - Parameters:
    ///   - gains: for each row of cells, the factor that makes it as bright as in the reference, × 256 × `scale`; likewise for the anchor.
    ///   - least: the smallest difference that counts, in steps of luma.
    mutating func differs(
        _ values: [UInt16], columns: Int, gains: [Int32], anchorGains: [Int32], least: Double,
        limits: ChangeGate.Limits
    ) -> Bool {
        let highest = max(least, limits.maxChange)
        let common = max(least, noise * limits.noiseFactor)
        let lowest = Int32(min(common, highest) * 256)
        // What moves a little varies, too, and mustn't pass for still.
        let upper = Int32(min(common * Self.mostOfCommon, 2 * highest) * 256)
        learned = min(learned + 1, Self.mostLearned)
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
                let evened = value * gain / 256 - shift
                let difference = abs(evened - reference[index])
                histogram.add(difference)
                let threshold = max(lowest, min(variations[index] * Self.variationFactor, upper))
                // A change is no noise.
                variations[index] += (min(abs(evened - latest[index]), threshold) - variations[index]) / learned
                latest[index] = evened
                if difference > threshold { changed += 1 }
                if difference > 2 * threshold { strongly += 1 }
                if abs(value * anchorGain / 256 - anchor[index] - anchorShift) > 2 * threshold { strayed += 1 }
            }
            start += columns
        }
        let hasChanged = changed >= 2 || strongly >= 1 || strayed >= 2
        let median = histogram.median
        if !hasChanged || median <= Self.mostNoiseOfChange { noise += (median - noise) / Double(learned) }
        return hasChanged
    }

    /// A change counts if it is this multiple of a cell's own variation: 4 to 5.6 standard deviations of normal noise.
    private static let variationFactor: Int32 = 5
    /// How much more than in any cell a change may have to be where there is texture: its edges vary three times as much.
    private static let mostOfCommon = 3.0

    private func meanDifference(
        _ values: [UInt16], _ cells: Range<Int>, _ gain: Int32, from reference: [Int32]
    ) -> Int32 {
        var sum: Int32 = 0
        for index in cells { sum += Int32(values[index]) * gain / 256 - reference[index] }
        return sum / Int32(max(1, cells.count))
    }
}
