import Dispatch
import Foundation

/// Shows every picture of the corpus for a second to a camera of 1280×720 and 30 frames a second, and compares what our live reading scans
/// with what two libraries read with their defaults on the newest frame, on one core with a virtual clock.
struct LiveCorpusBenchmark {
    var corpus = "../shared/corpus"
    var contestants = LiveContestant.allCases
    var holds = Hold.allCases
    var seeds: [UInt64] = [1]
    var seconds = 1.0
    var factor = 1.0
    /// Every n-th picture.
    var step = 1
    /// "a" or "b"; `nil`: both.
    var half: String?
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// Whether to print what each contestant read in each picture, and when.
    var isVerbose = false

    /// The goal: ours may miss at most this fraction of what the ten lines miss.
    static let missGoal = 0.85

    private struct Show {
        var picture: Int
        var contestant: LiveContestant
        var hold: Hold
        var seed: UInt64
    }

    private struct Tally {
        var right = 0
        /// Pictures in which a code was read.
        var pictures = 0
        var wrong = 0
        /// Scans of a code that had been scanned before, though it was in view all the time.
        var repeated = 0
        var times: [Double] = []
        var crashes = 0
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
        var shows: [Show] = []
        for picture in pictures.indices {
            for hold in holds {
                for seed in seeds {
                    for contestant in contestants {
                        shows.append(Show(picture: picture, contestant: contestant, hold: hold, seed: seed))
                    }
                }
            }
        }
        let results: [LiveShowResult]
        do { results = try run(shows, of: pictures) } catch {
            print("NOT MEASURED  live-corpus: \(error)")
            return 2
        }
        let codes = pictures.map(\.codeCount).reduce(0, +) * seeds.count
        var status: Int32 = 0
        for hold in holds {
            print(
                String(
                    format: "%@: %d codes in %d pictures, %d seeds, %.1f s each, a core of factor %.0f", hold.rawValue,
                    codes,
                    pictures.count, seeds.count, seconds, factor))
            var tallies: [LiveContestant: Tally] = [:]
            for (show, result) in zip(shows, results) where show.hold == hold {
                count(
                    result, of: show.contestant, pictures[show.picture], in: &tallies[show.contestant, default: Tally()]
                )
            }
            for contestant in contestants {
                guard let tally = tallies[contestant] else { continue }
                print(line(contestant, tally, codes: codes))
            }
            guard let peers = tallies[.tenLines], peers.right < codes else { continue }
            for contestant in LiveContestant.held {
                guard let tally = tallies[contestant] else { continue }
                let ratio = Double(codes - tally.right) / Double(codes - peers.right)
                let isMissed = ratio > Self.missGoal || tally.wrong > 0 || tally.repeated > 0
                if isMissed { status = 1 }
                print(
                    String(
                        format:
                            "%@  %@: misses %.2f of the ten lines' (goal %.2f or less), wrong %d, scanned again %d (goal 0)",
                        isMissed ? "MISSED" : "held", contestant.name, ratio, Self.missGoal, tally.wrong, tally.repeated
                    ))
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

    private func run(_ shows: [Show], of pictures: [CorpusPicture]) throws -> [LiveShowResult] {
        let lock = NSLock()
        nonisolated(unsafe) var results = [LiveShowResult?](repeating: nil, count: shows.count)
        nonisolated(unsafe) var next = 0
        nonisolated(unsafe) var failure: (any Error)?
        let frames = Int((seconds * VirtualCamera.framesPerSecond).rounded())
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while true {
                let index = lock.withLock {
                    defer { next += 1 }
                    return next
                }
                guard index < shows.count else { return }
                let show = shows[index]
                let path = pictures[show.picture].path
                // Every picture trembles differently, but in the same way for every contestant.
                let seed = show.seed &* 1_000_003 &+ UInt64(show.picture)
                do {
                    let result = try LiveShowResult(
                        LiveShow(
                            contestant: show.contestant, path: corpus + "/" + path, hold: show.hold, seed: seed,
                            frames: frames, factor: factor))
                    if let problem = result.problem { print("\(path): \(problem)") }
                    lock.withLock { results[index] = result }
                } catch {
                    lock.withLock { failure = error }
                    return
                }
            }
        }
        if let failure { throw failure }
        return results.compactMap(\.self)
    }

    private func count(
        _ result: LiveShowResult, of contestant: LiveContestant, _ picture: CorpusPicture, in tally: inout Tally
    ) {
        var verdict = Verdict()
        for scan in result.scans {
            let one = Verdict([scan.reading], of: picture)
            let new = one.right.subtracting(verdict.right)
            tally.times += [Double](repeating: scan.milliseconds, count: new.count)
            verdict.right.formUnion(one.right)
            verdict.wrong.formUnion(one.wrong)
        }
        tally.right += verdict.right.count
        tally.pictures += verdict.right.isEmpty ? 0 : 1
        tally.wrong += verdict.wrong.count
        if contestant.followsCodes { tally.repeated += scannedAgain(result, of: picture) }
        tally.crashes += result.crashes
    }

    /// How many scans are of a code that had been scanned before.
    private func scannedAgain(_ result: LiveShowResult, of picture: CorpusPicture) -> Int {
        var known: Set<Int> = []
        return result.scans.count { scan in
            let right = Verdict([scan.reading], of: picture).right
            defer { known.formUnion(right) }
            return !right.isEmpty && right.isSubset(of: known)
        }
    }

    private func line(_ contestant: LiveContestant, _ tally: Tally, codes: Int) -> String {
        let times = tally.times.sorted()
        func quantile(_ part: Double) -> Double {
            times.isEmpty ? 0 : times[min(times.count - 1, Int(part * Double(times.count)))]
        }
        let name = contestant.name.padding(toLength: 28, withPad: " ", startingAt: 0)
        let when =
            contestant == .still
            ? "" : String(format: "  to the scan: median %.0f ms, p90 %.0f ms", quantile(0.5), quantile(0.9))
        let again = tally.repeated == 0 ? "" : "  scanned again \(tally.repeated)"
        let crashes = tally.crashes == 0 ? "" : "  aborts \(tally.crashes)"
        let counts = String(
            format: "  %@ pictures %4d  codes %5d  missed %5d  wrong %3d", name, tally.pictures, tally.right,
            codes - tally.right, tally.wrong)
        return counts + when + again + crashes
    }

    private func details(_ shows: [Show], _ results: [LiveShowResult], _ pictures: [CorpusPicture]) -> [String] {
        zip(shows, results).map { show, result in
            let picture = pictures[show.picture]
            let verdict = Verdict(result.scans.map(\.reading), of: picture)
            let first = result.scans.first { !Verdict([$0.reading], of: picture).right.isEmpty }?.milliseconds
            let fields = [
                picture.path, show.hold.rawValue, String(show.seed), show.contestant.rawValue,
                "\(verdict.right.count)/\(picture.codeCount)", first.map { String(format: "%.0f", $0) } ?? "-",
            ]
            let again = show.contestant.followsCodes ? scannedAgain(result, of: picture) : 0
            return (fields + (again == 0 ? [] : ["again \(again)"]) + verdict.wrong.sorted().map { "wrong \($0)" })
                .joined(separator: "\t")
        }
    }
}
