import SoftReader

/// Which passes an exhaustive read makes; those over live frames are in `LivePlan`. Chosen by measurement: Benchmarks/corpus.
enum ReadPlan {
    /// Stages of an exhaustive read. Each runs only while it can still find something.
    enum Stage: Hashable {
        /// Always.
        case first
        /// Always, within the budget: confirms the first stage and finds more codes in the same picture.
        case second
        /// When nothing stands yet, or a find isn't settled.
        case hard
        /// When several matrix codes were found: there may be more.
        case many
    }

    struct Step: Hashable {
        var stage: Stage
        var pass: ReadPass
    }

    /// With this many matrix codes in one picture, it pays to look for more.
    static let manyCodes = 2

    /// All steps of an exhaustive read in order; a step's index is its pass number.
    static let exhaustive: [Step] = first + regions + second + bent + hard + many

    /// The steps that may find something, each pass once.
    static func steps(for wanted: DecoderSymbologies) -> [Step] {
        var made: Set<ReadPass> = []
        return exhaustive.filter { !$0.pass.symbologies(of: wanted).isEmpty && made.insert($0.pass).inserted }
    }

    /// The number that a pass votes under: the same pixels, treated the same way, are one observation, in a part of the picture, in a region, or in all of
    /// it, and ZBar looks at the same rows whatever the density. Parts still count for themselves where bars are looked for, whose rows differ.
    static func stillNumber(of pass: ReadPass) -> Int {
        func isSame(_ other: ReadPass) -> Bool {
            switch (pass.method, pass.target) {
            case (.zbar, _) where pass.region != nil: other == zbar(.all)
            case (.zxing, .matrix):
                other.target == .matrix && other.method == pass.method && other.isInverted == pass.isInverted
                    && other.wholeTreatments == pass.wholeTreatments
            default: other == pass.vote
            }
        }
        return exhaustive.firstIndex { isSame($0.pass) } ?? exhaustive.count
    }

    /// Passes over what is left of a picture once the linear codes that stand are painted over. Their numbers follow all others, and continue
    /// from round to round.
    static let behind: [ReadPass] = [linear(.localAverage), linear(.globalHistogram, .stretched(2))]

    /// The most rounds of them; every round except the last has found another code.
    static let mostBehindRounds = 32

    private static func matrix(
        _ binarizer: ReadPass.Binarizer, _ treatments: ReadPass.Treatment..., inverted: Bool = false,
        downscales: Bool = false
    ) -> ReadPass {
        ReadPass(
            method: .zxing(binarizer), target: .matrix, treatments: treatments, isInverted: inverted,
            downscales: downscales)
    }

    private static func linear(
        _ binarizer: ReadPass.Binarizer, _ treatments: ReadPass.Treatment..., inverted: Bool = false
    ) -> ReadPass {
        ReadPass(method: .zxing(binarizer), target: .linear, treatments: treatments, isInverted: inverted)
    }

    private static func dataBar(_ binarizer: ReadPass.Binarizer, _ treatments: ReadPass.Treatment...) -> ReadPass {
        ReadPass(method: .zxing(binarizer), target: .dataBar, treatments: treatments)
    }

    private static func zbar(
        _ target: ReadPass.Target, _ treatments: ReadPass.Treatment..., inverted: Bool = false
    ) -> ReadPass {
        ReadPass(method: .zbar(density: 1), target: target, treatments: treatments, isInverted: inverted)
    }

    private static let first: [Step] = [
        matrix(.localAverage, downscales: true),
        linear(.localAverage),
        zbar(.all),
        matrix(.globalHistogram, downscales: true),
        dataBar(.localAverage),
        zbar(.dataBar),
    ].map { Step(stage: .first, pass: $0) }

    /// Where a code may be: the first look at regions of each kind, then the second…; and our own searches for matrix codes.
    private static let regions: [Step] = {
        let looks = LocatedRegion.Kind.allCases.map { kind in RegionLook.looks(at: kind).map { $0.pass(over: kind) } }
        let passes = looks.inTurns()
        let early = looks.count * looksBeforeSearch
        let searches = MatrixFamily.allCases.map { ReadPass(method: .softMatrix($0), target: .matrix) }
        return (passes.prefix(early) + searches + passes.dropFirst(early))
            .map { Step(stage: .second, pass: $0) }
    }()

    /// How many looks regions of each kind have had before our own searches, which take longer, and also find what is in no region.
    private static let looksBeforeSearch = 2

    /// QR codes on cans and bottles: bent both ways, as the can stands or lies and is seen from above or below.
    private static let bent: [Step] = [14, -14, 7, -7, 20, -20].flatMap { percent in
        [ReadPass.Treatment.bowedDown(percent), .bowedAcross(percent)].map { bow in
            Step(
                stage: .second,
                pass: ReadPass(
                    method: .zxing(.localAverage), target: .commonMatrix, treatments: [bow], region: .finders))
        }
    }

    private static let second: [Step] =
        [
            matrix(.localAverage, .sharpened(radius: 2, amount: 2)),
            linear(.globalHistogram, .stretched(2)),
            linear(.fixedThreshold, .normalised(radius: 20)),
            // Bright spots leave codes in the shadow beside them.
            matrix(.fixedThreshold, .normalised(radius: 8)),
            zbar(.all, .rotated(22)),
            matrix(.localAverage, .rotated(22), .sharpened(radius: 2, amount: 2)),
            matrix(.localAverage, .sharpened(radius: 2, amount: 2), .rotated(-15)),
        ].map { Step(stage: .second, pass: $0) } + parts

    /// Part by part, because ZXing 1.x returns one linear code and one Data Matrix per picture, and clutter hides others.
    private static let parts: [Step] = (0..<ReadPass.Treatment.partCount).flatMap { index in
        [matrix(.localAverage, .part(index)), linear(.localAverage, .part(index))]
            .map { Step(stage: .second, pass: $0) }
    }

    private static let hard: [Step] = [
        matrix(.localAverage, .deblurred),
        linear(.fixedThreshold, .normalised(radius: 16), .stretched(2)),
        linear(.globalHistogram, .rotated(22)),
        dataBar(.globalHistogram, .rotated(22)),
        zbar(.all, .rotated(45)),
        linear(.globalHistogram, .rotated(45)),
        zbar(.all, .rotated(-22)),
        linear(.globalHistogram, .rotated(-22)),
        zbar(.all, inverted: true),
        linear(.localAverage, inverted: true),
        matrix(.localAverage, inverted: true, downscales: true),
        matrix(.globalHistogram, .reduced(2)),
        matrix(.localAverage, .reduced(2)),
        linear(.globalHistogram, .stretched(2), .sharpened(radius: 3, amount: 2)),
        linear(.globalHistogram, .blurred(radius: 1)),
        matrix(.localAverage, .enlarged(200)),
        dataBar(.globalHistogram, .enlarged(200)),
        linear(.globalHistogram, .enlarged(200)),
        matrix(.localAverage, .rotated(22)),
        matrix(.localAverage, .rotated(15)),
        matrix(.localAverage, .sharpened(radius: 2, amount: 2), .rotated(10)),
        matrix(.localAverage, .sharpened(radius: 2, amount: 2), .rotated(35)),
        matrix(.localAverage, .closed(radius: 1)),
        matrix(.globalHistogram, .sharpened(radius: 3, amount: 2)),
        linear(.globalHistogram, .enlarged(150)),
        linear(.fixedThreshold, .blurred(radius: 1), .normalised(radius: 20)),
        linear(.fixedThreshold, .enlarged(200), .sharpened(radius: 3, amount: 2)),
        matrix(.localAverage, .part(4), .enlarged(200)),
        zbar(.all, .normalised(radius: 8)),
    ].map { Step(stage: .hard, pass: $0) }

    private static let many: [Step] =
        (0..<ReadPass.Treatment.partCount).map {
            Step(stage: .many, pass: matrix(.localAverage, .part($0), .enlarged(200)))
        }
        + [
            matrix(.localAverage, .sharpened(radius: 2, amount: 2), .rotated(10)),
            matrix(.localAverage, .sharpened(radius: 2, amount: 2), .rotated(35)),
            matrix(.localAverage, .sharpened(radius: 3, amount: 4)),
            zbar(.all, .sharpened(radius: 4, amount: 2)),
            zbar(.all, .rotated(45)),
            zbar(.all, .rotated(-22)),
            zbar(.all, .rotated(30)),
            matrix(.localAverage, .rotated(30)),
            matrix(.fixedThreshold, .normalised(radius: 24)),
            matrix(.fixedThreshold),
            matrix(.localAverage, .closed(radius: 1)),
            zbar(.all, .stretched(2)),
            zbar(.all, .rotated(-10)),
            matrix(.globalHistogram, .normalised(radius: 8)),
        ].map { Step(stage: .many, pass: $0) }
}
