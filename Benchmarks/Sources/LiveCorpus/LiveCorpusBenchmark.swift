import Foundation

/// Shows every picture of the corpus for a second to a camera of 1280×720 and 30 frames a second, and compares what our live reading scans
/// with what two libraries read with their defaults on the newest frame, on one core with a virtual clock.
struct LiveCorpusBenchmark {
    var corpus = "../shared/corpus"
    var contestants = LiveContestant.allCases
    var holds = Hold.allCases
    var seeds: [UInt64] = [1]
    var seconds = 1.0
    var machine = VirtualMachine()
    /// Whether an easy code is in view, too.
    var hasNeighbour = false
    /// Every n-th picture.
    var step = 1
    /// "a" or "b"; `nil`: both.
    var half: String?
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// Whether to print what each contestant read in each picture, and when.
    var isVerbose = false

    private struct Show {
        var picture: Int
        var seed: UInt64
        var live: LiveShow
        var contestant: LiveContestant { live.contestant }
        var hold: Hold { live.hold }
    }

    /// - Returns: 0; 1 if a goal is missed; 2 without a corpus, or if it can't be shown.
    func run() -> Int32 {
        let all: [CorpusPicture]
        do { all = try CorpusPicture.load(from: corpus).filter(\.isCounted) } catch {
            print("can't read the corpus at \(corpus): \(error.localizedDescription). Give its folder with --corpus")
            return 2
        }
        let pictures = all.filter { half == nil || Self.half(of: $0.path) == half }
            .enumerated().filter { $0.offset % max(1, step) == 0 }.map(\.element)
        guard !pictures.isEmpty else {
            print("the corpus at \(corpus) lists no picture")
            return 2
        }
        let shows = shows(of: pictures)
        let results: [LiveShowResult]
        do { results = try ShowRunner.run(shows.map(\.live), jobs: jobs) } catch {
            print("NOT MEASURED  live-corpus: \(error)")
            return 2
        }
        let codes = pictures.map(\.codeCount).reduce(0, +) * seeds.count
        var status: Int32 = 0
        for hold in holds {
            print(
                String(
                    format: "%@: %d codes in %d pictures, %d seeds, %.1f s each, cores %d of factor %.1f",
                    hold.rawValue,
                    codes, pictures.count, seeds.count, seconds, machine.cores, machine.factor))
            var tallies: [LiveContestant: LiveTally] = [:]
            for (show, result) in zip(shows, results) where show.hold == hold {
                tallies[show.contestant, default: LiveTally()].add(
                    ShowVerdict(result, of: pictures[show.picture]), picture: show.picture, seed: show.seed,
                    crashes: result.crashes, followsCodes: show.contestant.followsCodes)
            }
            for contestant in contestants {
                guard let tally = tallies[contestant] else { continue }
                print(line(contestant, tally, codes: codes))
            }
            let goals = LiveGoals(codes: codes, hold: hold, peers: tallies[.tenLines], stills: tallies[.still])
            for contestant in LiveContestant.held {
                for line in tallies[contestant].map(goals.lines) ?? [] {
                    if !line.isHeld { status = 1 }
                    print("\(line.isHeld ? "held" : "MISSED")  \(contestant.name): \(line.text)")
                }
            }
        }
        if isVerbose { for line in details(shows, results, pictures) { print(line) } }
        return status
    }

    /// The half to tune on and the half to report: chosen by the path's characters, so that a picture is always in the same half.
    static func half(of path: String) -> String {
        let hash = path.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return (hash >> 17) & 1 == 0 ? "a" : "b"
    }

    private func shows(of pictures: [CorpusPicture]) -> [Show] {
        let frames = Int((seconds * VirtualCamera.framesPerSecond).rounded())
        var shows: [Show] = []
        for (index, picture) in pictures.enumerated() {
            let path = corpus + "/" + picture.path
            for hold in holds {
                for seed in seeds {
                    for contestant in contestants {
                        // Every picture trembles differently, but in the same way for every contestant.
                        let live = LiveShow(
                            contestant: contestant,
                            subject: hasNeighbour ? .pictureWithNeighbour(path: path) : .picture(path: path),
                            hold: hold,
                            seed: seed &* 1_000_003 &+ UInt64(index), frames: frames, machine: machine)
                        shows.append(Show(picture: index, seed: seed, live: live))
                    }
                }
            }
        }
        return shows
    }

    private func line(_ contestant: LiveContestant, _ tally: LiveTally, codes: Int) -> String {
        let name = contestant.name.padding(toLength: 28, withPad: " ", startingAt: 0)
        let when =
            contestant == .still
            ? ""
            : String(
                format: "  to the scan: median %.0f ms, p90 %.0f ms", tally.read.median, tally.read.quantile(0.9)
            )
        let again = tally.repeated == 0 ? "" : "  scanned again \(tally.repeated)"
        let crashes = tally.crashes == 0 ? "" : "  aborts \(tally.crashes)"
        let counts = String(
            format: "  %@ pictures %4d  codes %5d  missed %5d  wrong %3d", name, tally.pictures, tally.right,
            codes - tally.right, tally.wrong)
        let neighbours = hasNeighbour ? "  the easy code beside it in \(tally.neighbours)" : ""
        return counts + when + neighbours + again + crashes
    }

    private func details(_ shows: [Show], _ results: [LiveShowResult], _ pictures: [CorpusPicture]) -> [String] {
        zip(shows, results).map { show, result in
            let picture = pictures[show.picture]
            let shown = ShowVerdict(result, of: picture)
            let fields = [
                picture.path, show.hold.rawValue, String(show.seed), show.contestant.rawValue,
                "\(shown.verdict.right.count)/\(picture.codeCount)",
                shown.times.values.min().map { String(format: "%.0f", $0) } ?? "-",
            ]
            let again = show.contestant.followsCodes ? shown.repeated : 0
            return
                (fields + (again == 0 ? [] : ["again \(again)"]) + shown.verdict.wrong.sorted().map { "wrong \($0)" })
                .joined(separator: "\t")
        }
    }
}
