import Foundation

/// Shows what has no code to a camera that somebody holds: noise, print, blinds, bricks, displays, and the corpus' photos without codes. Whatever
/// live reading scans there is a phantom.
struct PhantomBenchmark {
    var corpus = "../shared/corpus"
    var seeds: UInt64 = 4
    var seconds = 4.0
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)

    /// - Returns: 0; 1 if anything was scanned; 2 without a corpus, or if nothing could be shown.
    func run() -> Int32 {
        let photos: [CorpusPicture]
        do { photos = try CorpusPicture.load(from: corpus).filter { $0.isCounted && $0.codeCount == 0 } } catch {
            print("can't read the corpus at \(corpus): \(error.localizedDescription). Give its folder with --corpus")
            return 2
        }
        let subjects =
            Clutter.allCases.map(ShownSubject.clutter) + photos.map { .picture(path: corpus + "/" + $0.path) }
        let shows = subjects.flatMap { subject in
            (1...seeds).flatMap { seed in
                LiveContestant.held.map { contestant in
                    LiveShow(
                        contestant: contestant, subject: subject, hold: .hand, seed: seed &* 1_000_003,
                        frames: Int((seconds * VirtualCamera.framesPerSecond).rounded()))
                }
            }
        }
        let results: [LiveShowResult]
        do { results = try ShowRunner.run(shows, jobs: jobs) } catch {
            print("NOT MEASURED  phantoms: \(error)")
            return 2
        }
        for (show, result) in zip(shows, results) {
            for scan in result.scans {
                let reading = scan.reading
                print(
                    "\(show.subject.name), \(show.contestant.name), seed \(show.seed / 1_000_003): \(reading.symbology) \(Meaning.of(reading))"
                )
            }
        }
        var status: Int32 = 0
        for contestant in LiveContestant.held {
            let shown = zip(shows, results).filter { $0.0.contestant == contestant }
            let phantoms = shown.map(\.1.scans.count).reduce(0, +)
            let hours = Double(shown.count) * seconds / 3600
            if phantoms > 0 { status = 1 }
            print(
                String(
                    format:
                        "%@  %@: %d phantoms in %.2f h of %d subjects (goal 0; with 95 %% confidence fewer than %.1f an hour)",
                    phantoms > 0 ? "MISSED" : "held", contestant.name, phantoms, hours, subjects.count,
                    Self.upperBound(phantoms) / hours))
        }
        return status
    }

    /// The mean of a Poisson distribution that gives no more than `count` in one of twenty runs, nearly.
    static func upperBound(_ count: Int) -> Double {
        // Wilson and Hilferty's approximation of the chi-squared quantile, halved.
        let degrees = Double(2 * (count + 1))
        let root = 1 - 2 / (9 * degrees) + 1.6449 * (2 / (9 * degrees)).squareRoot()
        return degrees * root * root * root / 2
    }
}
