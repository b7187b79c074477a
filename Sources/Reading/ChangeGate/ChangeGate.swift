import Vocabulary

/// Decides which frames are worth decoding: it holds back an unchanging or blank scene.
///
/// ```
///            picture changed, reopened                       `settleReads` reads done
///   (any) ──────────────────────────▶ open: every frame read ─────────────────────────▶ still: one read per `refresh`
/// ```
/// After a change the gate stays open until every alternating pass of the read strategy has had the picture. A picture counts as changed when
/// means or edges of its signature's cells differ from the reference by more than the noise allows, all cells' and their own. First the brightness of whole rows of
/// cells is evened out (mains flicker moves bands over a rolling shutter). The reference is the mean of the first frames, and then follows slowly (daylight drifts), but not beyond
/// twice the change from where it began (a code may fade in). A blank picture, without an edge above the noise, is held back even while the
/// gate is open. A wrong decision costs a `refresh` for each turn until the one that reads the code, because a frame is read that often
/// anyway.
package struct ChangeGate: Sendable {
    package struct Limits: Hashable, Sendable {
        /// How many reads follow a change or reopening before frames are held back: two rounds of the quick turns.
        package var settleReads = 2 * ReadEffort.Kind.quick.turns
        /// The same while a session waits: more than a round of the thorough turns, or of the quick ones with a thorough one after every two.
        package var settleReadsThorough = 2 * ReadEffort.Kind.quick.turns
        /// Even a still or blank picture is read this often.
        package var refresh: Duration = .milliseconds(500)
        /// The same while a session waits: other noise may make a hard code readable.
        package var refreshThorough: Duration = .milliseconds(250)
        /// The smallest change of a cell's mean that counts, in steps of luma; up to three times as much where the cell varies by itself (`CellTrace`).
        package var minChange = 6.0
        /// The smallest change of a cell's edges that counts, in steps of luma. Edges vary less than means, with noise and with light, so they
        /// show a small or faint code. The same holds where there is texture.
        package var minEdgeChange = 3.0
        /// Noise can raise them up to this; that of a cell of its own up to twice this.
        package var maxChange = 16.0
        /// A change counts if it is at least this multiple of the typical difference between two frames.
        package var noiseFactor = 8.0
        /// A jump of the overall brightness by this fraction is a change (a light was switched, or the exposure has settled).
        package var brightnessJump = 0.15
        /// A cell shows something if its edges exceed the noise floor by this, in steps of luma…
        package var minEdge = 5.0
        /// …or by this fraction of the floor, if that is more (pure noise over 3600 cells stays below 0.75, measured)…
        package var edgeSpread = 0.9
        /// …or its mean differs from a neighbour's by this, or half the floor.
        package var minStep = 6.0
        /// The noise floor is the 10th percentile of all cells' edges, but at most this: codes may fill the whole picture.
        package var maxNoiseFloor = 16.0

        package init() {}
    }

    package enum Verdict: Hashable, Sendable {
        case read, unchanged, blank
    }

    package var limits: Limits
    /// A sighting waits for another observation, so still pictures are read, too.
    package var isPending = false
    package var effort: ReadEffort.Kind = .quick { didSet { if effort != oldValue { reopen() } } }
    /// Rises with every change.
    package private(set) var picture: UInt64 = 0

    private var means = CellTrace.means
    private var edges = CellTrace.edges
    private var referenceSize = FrameSize(width: 0, height: 0)
    private var referenceLuma = 0.0
    private var readsLeft = 0
    private var wasBlank = false
    private var lastRead: Instant?

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Lets every pass see the picture again.
    package mutating func reopen() { readsLeft = effort == .quick ? limits.settleReads : limits.settleReadsThorough }

    /// Earlier finds no longer count (other rules, another viewport): as if the picture had changed.
    package mutating func restart() {
        picture += 1
        reopen()
    }

    /// A decoder got a frame.
    package mutating func noteRead(at now: Instant) {
        readsLeft = max(0, readsLeft - 1)
        lastRead = now
    }

    package mutating func judge(_ signature: borrowing FrameSignature, at now: Instant) -> Verdict {
        if hasChanged(signature) {
            picture += 1
            takeReference(signature)
            reopen()
        } else {
            follow(signature)
        }
        let refresh = effort == .quick ? limits.refresh : limits.refreshThorough
        let isDue = lastRead.map { $0.duration(to: now) >= refresh } ?? true
        if !isDue {
            if isBlank(signature) {
                wasBlank = true
                return .blank
            }
            // Something appeared, too faint to count as a change.
            if wasBlank { reopen() }
            wasBlank = false
        }
        return isDue || isPending || readsLeft > 0 ? .read : .unchanged
    }

    // MARK: - Change

    private mutating func hasChanged(_ signature: borrowing FrameSignature) -> Bool {
        guard referenceSize == signature.size, means.count == signature.means.count else { return true }
        let luma = Double(signature.meanLuma)
        if abs(luma - referenceLuma) > max(limits.minChange, limits.brightnessJump * referenceLuma) { return true }

        let gains = rowGains(signature, to: means.reference)
        let anchorGains = rowGains(signature, to: means.anchor)
        // Asks both, so that both learn their noise.
        let haveMeansChanged = means.differs(
            signature.means, columns: signature.columns, gains: gains, anchorGains: anchorGains,
            least: limits.minChange,
            limits: limits)
        let haveEdgesChanged = edges.differs(
            signature.edges, columns: signature.columns, gains: gains, anchorGains: anchorGains,
            least: limits.minEdgeChange, limits: limits)
        return haveMeansChanged || haveEdgesChanged
    }

    private func rowGains(_ signature: borrowing FrameSignature, to reference: [Int32]) -> [Int32] {
        var gains: [Int32] = []
        gains.reserveCapacity(signature.rows)
        for row in 0..<signature.rows {
            gains.append(evening(signature, row * signature.columns..<(row + 1) * signature.columns, to: reference))
        }
        return gains
    }

    /// The factor that makes a row of cells as bright as in the reference, ×16 (units of a mean) × 256. Limited to a fifth: a larger difference
    /// isn't flicker.
    private func evening(
        _ signature: borrowing FrameSignature, _ cells: Range<Int>, to reference: borrowing [Int32]
    ) -> Int32 {
        var now: Int64 = 0
        var then: Int64 = 0
        for index in cells {
            now += Int64(signature.means[index])
            then += Int64(reference[index])
        }
        let plain = 256 * Int64(CellTrace.scale)
        guard now > 0 else { return Int32(plain) }
        return Int32(min(max(then * 256 / now, plain * 4 / 5), plain * 6 / 5))
    }

    private mutating func takeReference(_ signature: borrowing FrameSignature) {
        // What other cells have learned says nothing of these.
        if referenceSize != signature.size { (means, edges) = (.means, .edges) }
        means.take(signature.means)
        edges.take(signature.edges)
        referenceSize = signature.size
        referenceLuma = Double(signature.meanLuma)
    }

    private mutating func follow(_ signature: borrowing FrameSignature) {
        means.follow(signature.means)
        edges.follow(signature.edges)
        referenceLuma += (Double(signature.meanLuma) - referenceLuma) / 16
    }

    // MARK: - Blank

    private func isBlank(_ signature: borrowing FrameSignature) -> Bool {
        let unit = Double(FrameSignature.unit)
        let floor = min(noiseFloor(signature), limits.maxNoiseFloor)
        let edge = Int32((floor + max(limits.minEdge, floor * limits.edgeSpread)) * unit)
        let step = Int32(max(limits.minStep, floor / 2) * unit)
        let columns = signature.columns
        var showing = 0
        for index in signature.means.indices {
            let mean = Int32(signature.means[index])
            let isFirst = index % columns == 0
            let left = isFirst ? mean : Int32(signature.means[index - 1])
            let above = index < columns ? mean : Int32(signature.means[index - columns])
            if Int32(signature.edges[index]) > edge || abs(mean - left) > step || abs(mean - above) > step {
                showing += 1
                if showing >= 2 { return false }
            }
        }
        return true
    }

    /// The 10th percentile of the cells' edges, in steps of luma.
    private func noiseFloor(_ signature: borrowing FrameSignature) -> Double {
        var histogram = DifferenceHistogram()
        for edge in signature.edges { histogram.add(Int32(edge) * CellTrace.scale) }
        return histogram.quantile(0.1)
    }
}
