import ReaderProtocol
import Vocabulary

/// A code that some passes saw: one verdict at one place, with everything that speaks for it.
struct Candidate {
    let verdict: SymbologyRules.Verdict
    /// The reading that says most about it: ZXing's before ZBar's, the first otherwise.
    private(set) var reading: PassReading
    /// Passes that found it, by decoder; each pass votes once.
    private(set) var zxingPasses: Set<Int> = []
    private(set) var zbarPasses: Set<Int> = []
    /// Most scan lines that agreed in one of ZBar's passes.
    private(set) var zbarLines = 0
    /// Every pass that found it, once, in the order of the passes.
    private(set) var looks: [Look] = []

    /// One pass's find.
    struct Look: Hashable {
        let decoder: Evidence.Decoder
        let pass: Int
        let lineCount: Int
    }

    init(_ verdict: SymbologyRules.Verdict, _ reading: PassReading) {
        self.verdict = verdict
        self.reading = reading
        count(reading)
    }

    mutating func add(_ other: PassReading) {
        let extent = reading.hasExtent ? reading.corners : other.hasExtent ? other.corners : nil
        if other.decoder == .zxing && reading.decoder == .zbar { reading = other }
        if let extent {
            reading.corners = extent
            reading.hasExtent = true
        }
        if reading.addOn == nil, let addOn = other.addOn, other.decoder == .zxing {
            reading.addOn = addOn
        }
        count(other)
    }

    private mutating func count(_ reading: PassReading) {
        if !looks.contains(where: { $0.decoder == reading.decoder && $0.pass == reading.pass }) {
            looks.append(Look(decoder: reading.decoder, pass: reading.pass, lineCount: reading.lineCount))
        }
        switch reading.decoder {
        case .zxing: zxingPasses.insert(reading.pass)
        case .zbar:
            zbarPasses.insert(reading.pass)
            zbarLines = max(zbarLines, reading.lineCount)
        }
    }

    /// Whether both lie on the same code.
    func isAtPlace(of other: Quad) -> Bool { reading.corners.isNear(other) }

    /// Votes in favour. ZXing's count threefold: it asks for two equal scan lines, where ZBar takes what it gets.
    var score: Int { 3 * zxingPasses.count + zbarPasses.count }

    /// Whether the evidence suffices by itself, were there nothing else at its place. Measured on the corpus (Benchmarks):
    /// what one pass alone saw in a symbology without error detection to speak of was wrong more often than right.
    var isAccepted: Bool {
        switch verdict.symbology {
        case .aztec, .dataMatrix, .maxiCode, .microQRCode, .pdf417, .qrCode, .rmqrCode:
            // Reed-Solomon vouches for it.
            true
        case .dataBar, .dataBarLimited:
            !zxingPasses.isEmpty || zbarPasses.count >= 2 || zbarLines >= 5
        case .dataBarExpanded:
            // ZBar gets some of its encodings wrong, however often it looks.
            !zxingPasses.isEmpty
        case .ean13, .upcA, .code128:
            !zxingPasses.isEmpty || zbarLines >= 20 || zbarPasses.count >= 2 && zbarLines >= 2
        case .codabar, .code39, .code39Mod43, .code93, .ean8, .itf, .itf14, .upcE:
            zxingPasses.count >= 2 || !zxingPasses.isEmpty && !zbarPasses.isEmpty || zbarLines >= 25
                || zbarPasses.count >= 3 && zbarLines >= 10
        }
    }

    /// Accepted, and by more than one look where a code can't vouch for itself: enough while a rival's look may still come.
    var isFirm: Bool { isAccepted && (!verdict.symbology.isLinear || looks.count >= 2) }

    /// Seen by enough passes that more of them won't change the verdict.
    var isSettled: Bool {
        verdict.symbology.isLinear ? isAccepted && zxingPasses.count >= 2 && !zbarPasses.isEmpty : true
    }
}

extension Quad {
    private var longestSide: Double {
        let p = points
        return (0..<4).map { p[$0].distance(to: p[($0 + 1) % 4]) }.max() ?? 0
    }

    /// Whether two quads, in pixels, mark the same code: their centres are closer than half the longer one's length.
    func isNear(_ other: Quad) -> Bool {
        centre.distance(to: other.centre) <= max(longestSide, other.longestSide) / 2
    }
}

extension Point {
    func middle(to other: Point) -> Point { Point(x: (x + other.x) / 2, y: (y + other.y) / 2) }

    func distance(to other: Point) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
