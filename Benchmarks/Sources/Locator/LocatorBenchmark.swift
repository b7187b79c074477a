import Decoding
import Foundation
import ReaderProtocol
import Vocabulary

/// The locator on the corpus as a camera of 1280×720 sees it: what a frame costs, which codes its regions cover, and what is read of the regions
/// that isn't read of whole frames.
struct LocatorBenchmark {
    var corpus = "../shared/corpus"
    /// Where what whole frames give is kept between runs.
    var known = ".build/whole-readings.json"
    /// 0 or 1: only pictures whose number in the truth is even or odd. Tune on the even ones, report the odd ones.
    var parity: Int?
    var isVerbose = false

    /// The goal: as a fraction of the time that ZBar's defaults take for the same frame.
    static let timeGoal = 0.1

    /// - Returns: 0; 1 if the goal is missed; 2 without a corpus, or if what is known can't be read or written.
    func run() -> Int32 {
        let all: [CorpusPicture]
        do { all = try CorpusPicture.load(from: corpus) } catch {
            print("can't read the corpus at \(corpus): \(error.localizedDescription). Give its folder with --corpus")
            return 2
        }
        var whole: KnownReadings<WholeReadings>
        do { whole = try KnownReadings(path: known, isWhole: \.isWhole) } catch {
            print("NOT MEASURED  locator: \(error)")
            return 2
        }
        var located: [LocatedPicture] = []
        for (index, picture) in all.enumerated() where (parity.map { index % 2 == $0 } ?? true) && picture.isCounted {
            guard let shown = ShownPicture(path: corpus + "/" + picture.path) else { continue }
            ShownPicture.withLuma(of: shown.pixels) { luma in
                let readings = whole.reading(of: picture.path) { WholeReadings(luma) }
                located.append(LocatedPicture(picture, shown, luma, whole: readings))
            }
        }
        guard !located.isEmpty else {
            print("the corpus at \(corpus) lists no picture")
            return 2
        }
        var isKept = true
        do { try whole.store() } catch {
            print(error)
            isKept = false
        }
        let status = report(located)
        return isKept ? status : ExitStatus.worst([status, 2])
    }

    private func report(_ pictures: [LocatedPicture]) -> Int32 {
        print("\(pictures.count) pictures at 1280×720")
        Self.quantiles("sums of all blocks, ms", pictures.map(\.sumsTime))
        Self.quantiles("locator, ms", pictures.map(\.locateTime))
        Self.quantiles("ZBar's defaults, ms", pictures.map(\.zbarTime))
        Self.quantiles("locator / ZBar", pictures.map { $0.locateTime / $0.zbarTime })
        Self.quantiles("regions", pictures.map { Double($0.regionCount) })
        let empty = pictures.filter(\.codes.isEmpty)
        Self.quantiles("regions, no code in the picture", empty.map { Double($0.regionCount) })
        Self.quantiles("all looks at a region, ms", pictures.flatMap(\.readTimes))
        Self.quantiles("… at all regions of a picture, ms", pictures.map { $0.readTimes.reduce(0, +) })
        for isLinear in [true, false] {
            let codes = pictures.flatMap(\.codes).filter { $0.isLinear == isLinear }
            let placed = codes.filter { $0.isCovered != nil }
            print(
                "\(isLinear ? "linear" : "matrix"): \(codes.count) codes; place known \(placed.count), covered \(placed.count { $0.isCovered == true }); read: live \(codes.count(where: \.isInLive)), still \(codes.count(where: \.isInStill)), regions \(codes.count(where: \.isInRegion)); regions but not live \(codes.count { $0.isInRegion && !$0.isInLive }), not still \(codes.count { $0.isInRegion && !$0.isInStill })"
            )
            Self.quantiles("  place of the code's region in the order", codes.compactMap(\.rank).map { Double($0 + 1) })
        }
        let wrong = pictures.reduce(0) { $0 + $1.wrong.count }
        print(
            "wrong of regions: \(wrong); not wrong anyway: \(pictures.reduce(0) { $0 + $1.wrong.subtracting($1.wrongAnyway).count })"
        )
        for clutter in Clutter.allCases { Self.measure(clutter) }
        if isVerbose { list(pictures) }
        let ratios = pictures.map { $0.locateTime / $0.zbarTime }.sorted()
        let isFast = ratios[ratios.count / 2] <= Self.timeGoal
        print("goal: at most \(Self.timeGoal) of ZBar's time in the median: \(isFast ? "held" : "missed")")
        return isFast ? 0 : 1
    }

    /// What was missed, won, and misread.
    private func list(_ pictures: [LocatedPicture]) {
        for picture in pictures {
            for (index, code) in picture.codes.enumerated() {
                var words: [String] = []
                if code.isCovered == false { words.append("missed") }
                if code.isInRegion, !code.isInLive { words.append("won over live") }
                if code.isInRegion, !code.isInStill { words.append("won over still") }
                if !code.isInRegion, code.isInLive || code.isInStill { words.append("lost") }
                if !words.isEmpty {
                    print(
                        "\(picture.path) #\(index) \(code.isLinear ? "linear" : "matrix"): \(words.joined(separator: ", "))"
                    )
                }
            }
            if !picture.wrong.isEmpty {
                print("\(picture.path): wrong \(picture.wrong.sorted()), anyway \(picture.wrongAnyway.sorted())")
            }
        }
    }

    /// What a frame without codes costs, the least of five, and how many regions it has.
    private static func measure(_ clutter: Clutter) {
        ShownPicture.withLuma(of: clutter.frame(seed: 11)) { luma in
            let locator = Locator()
            var regions: [LocatedRegion] = []
            let costs = (0..<5).map { _ in
                VirtualCore().run { regions = locator.regions(of: luma) }.cost.milliseconds
            }
            print("\(clutter.rawValue): \(String(format: "%.3g", costs.min() ?? 0)) ms, \(regions.count) regions")
        }
    }

    private static func quantiles(_ name: String, _ values: [Double]) {
        guard !values.isEmpty else { return }
        let sorted = values.sorted()
        func at(_ part: Double) -> String {
            String(format: "%.3g", sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
        }
        print("\(name): median \(at(0.5)), p95 \(at(0.95)), worst \(at(1))")
    }
}
