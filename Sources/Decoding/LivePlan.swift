/// Passes over live frames. One frame is one turn: passes that find different things take turns, so that a few frames of a steady hand are
/// enough to look for everything common in every way that pays. Turns in which the rules leave nothing to find are skipped.
enum LivePlan {
    /// The cheap turns. Each costs at most a quarter of ZXing's defaults on the same frame (`scanstation-bench live`); those that find most
    /// come round most often.
    static let quickTurns: [[ReadPass]] = [
        [level],
        [ReadPass(method: .zxing(.localAverage), target: .commonMatrix, treatments: [.reduced(2)])],
        [ReadPass(method: .zbar(density: 5), target: .all, treatments: [.reduced(2)])],
        [small(4)],
        [ReadPass(method: .zxing(.localAverage), target: .linear, treatments: [.part(4)])],
        [level],
        [ReadPass(method: .zxing(.localAverage), target: .otherMatrix, treatments: [.reduced(2)]), small(0)],
        [ReadPass(method: .zxing(.globalHistogram), target: .commonMatrix, treatments: [.reduced(2)])],
        [ReadPass(method: .zxing(.localAverage), target: .linear, triesHarder: false), small(2), small(6)],
        [ReadPass(method: .zxing(.localAverage), target: .otherMatrix, treatments: [.part(4)]), small(8), small(3)],
        [ReadPass(method: .zxing(.localAverage), target: .linear, treatments: [.reduced(2), .part(4), .rotated(45)])],
        // Everything linear at full resolution, and also several codes in a frame, where ZXing 1.x returns only one. It sees a second time
        // what only the other turn of ZBar saw: in a still picture, only another pass makes another observation.
        [ReadPass(method: .zbar(density: 8), target: .linear, rotates: false)],
        [
            ReadPass(method: .zxing(.localAverage), target: .commonMatrix, treatments: [.reduced(2)], isInverted: true),
            small(5),
        ],
        [ReadPass(method: .zxing(.localAverage), target: .dataBar, rotates: false), small(7), small(1)],
    ]

    /// The passes of every thorough turn.
    static let thoroughAlways: [ReadPass] = [
        ReadPass(method: .zxing(.localAverage), target: .matrix),
        ReadPass(method: .zxing(.localAverage), target: .linear),
    ]

    /// One of these joins them.
    static let thoroughTurns: [ReadPass] = [
        ReadPass(method: .zbar(density: 2), target: .all),
        ReadPass(method: .zxing(.globalHistogram), target: .matrix, treatments: [.reduced(2)]),
        ReadPass(method: .zxing(.localAverage), target: .dataBar),
        // Where bars are as narrow as two pixels, normalising invents edges: more lines must agree.
        ReadPass(
            method: .zxing(.fixedThreshold), target: .linear, treatments: [.normalised(radius: 20)], minLineCount: 5),
        ReadPass(method: .zxing(.globalHistogram), target: .linear, treatments: [.rotated(22)]),
        ReadPass(method: .zxing(.localAverage), target: .matrix, isInverted: true),
        ReadPass(method: .zxing(.localAverage), target: .matrix, treatments: [.sharpened(radius: 2, amount: 2)]),
        // Other scan lines: the second observation of a weak code in a still picture.
        ReadPass(method: .zbar(density: 3), target: .linear),
        ReadPass(method: .zxing(.fixedThreshold), target: .matrix, treatments: [.normalised(radius: 8)]),
        ReadPass(method: .zxing(.globalHistogram), target: .linear, treatments: [.rotated(45)]),
        ReadPass(method: .zxing(.localAverage), target: .linear, isInverted: true),
        ReadPass(method: .zxing(.globalHistogram), target: .linear, treatments: [.rotated(-22)]),
        ReadPass(method: .zxing(.globalHistogram), target: .matrix),
    ]

    /// Another look for what waits for one: the first of these that the turn doesn't have. Linear codes get other scan lines.
    static func confirming(_ waiting: DecoderSymbologies) -> [ReadPass] {
        confirming.filter { !$0.symbologies(of: waiting).isEmpty }
    }

    private static let confirming: [ReadPass] = [
        ReadPass(method: .zbar(density: 3), target: .linear), ReadPass(method: .zbar(density: 2), target: .linear),
        ReadPass(method: .zxing(.globalHistogram), target: .otherMatrix),
        ReadPass(method: .zxing(.globalHistogram), target: .commonMatrix),
    ]

    /// Codes with level bars, at full resolution: what people hold up to a scanner most often.
    private static let level = ReadPass(method: .zxing(.localAverage), target: .linear, rotates: false)

    /// Small matrix codes in a part of the frame, at full resolution: the middle in a separate turn, the others in turns that are otherwise
    /// cheap.
    private static func small(_ part: Int) -> ReadPass {
        ReadPass(method: .zxing(.localAverage), target: .commonMatrix, treatments: [.part(part)])
    }

    /// A frame with this many finder patterns (three per QR code) is crowded.
    static let crowd = 36

    /// The looks that replace `pass` on a crowded frame; `nil` if the pass stays as it is. ZXing compares every three finder patterns of a
    /// plane and keeps the 256 likeliest triples: if codes stand in rows and columns, most of those mix three codes, and hundreds of patterns
    /// take it a tenth of a second. Tile by tile it is faster than on the whole frame, and finds all codes. The turn's binarizer chooses the
    /// size of the tiles; each tile is read with local averages.
    static func tiles(insteadOf pass: ReadPass) -> [ReadPass]? {
        guard pass.target == .matrix || pass.target == .commonMatrix, !pass.isInverted,
            pass.treatments.isEmpty || pass.treatments == [.reduced(2)]
        else { return nil }
        let tiles: [ReadPass.Treatment]
        switch pass.method {
        case .zxing(.localAverage): tiles = (0..<ReadPass.Treatment.smallTileCount).map { .smallTile($0) }
        case .zxing: tiles = (0..<ReadPass.Treatment.tileCount).map { .tile($0) }
        case .zbar, .soft, .softMatrix: return nil
        }
        return tiles.map { ReadPass(method: .zxing(.localAverage), target: pass.target, treatments: [$0]) }
    }

    /// The number of a pass over a live frame; the same pass has the same number in every turn. Part of a symbol's evidence.
    static func number(of pass: ReadPass) -> Int {
        livePasses.firstIndex(of: pass.vote) ?? livePasses.count
    }

    private static let livePasses: [ReadPass] = {
        var passes = quickTurns.flatMap { $0 }
        passes += thoroughAlways + thoroughTurns + confirming
        passes += ReadPlan.exhaustive.map(\.pass)
        for kind in LocatedRegion.Kind.allCases {
            passes += RegionLook.looks(at: kind).map { $0.pass(over: kind).vote }
        }
        return passes
    }()
}
