import Dispatch
import Foundation

/// The corpus, read by us and by the two libraries with their defaults: a table by group, and a comparison with the counts in the tree, so
/// that every change shows what it wins and loses.
struct CorpusBenchmark {
    var corpus = "../shared/corpus"
    var expectedPath = "Benchmarks/corpus-expected.tsv"
    var updates = false
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// Each picture with what was wrong or missed.
    var isVerbose = false

    private struct PictureResult {
        var ours = Verdict()
        var union = Verdict()
        var milliseconds = 0.0
        var crashes = 0
        var unionCrashes = 0
    }

    /// - Returns: 0; 1 if counts differ from those expected, or a goal is missed; 2 without a corpus, or if it can't be read.
    func run() -> Int32 {
        let pictures: [CorpusPicture]
        do { pictures = try CorpusPicture.load(from: corpus) } catch {
            print("can't read the corpus at \(corpus): \(error.localizedDescription). Give its folder with --corpus")
            return 2
        }
        guard !pictures.isEmpty else {
            print("the corpus at \(corpus) lists no picture")
            return 2
        }
        let results: [PictureResult]
        do { results = try read(pictures) } catch {
            print("NOT MEASURED  corpus: \(error)")
            return 2
        }
        let table = CorpusTable(
            zip(pictures, results).map { picture, result in
                CorpusTable.Entry(
                    picture: picture, ours: result.ours, union: result.union, milliseconds: result.milliseconds)
            })
        print(table.text)
        print(
            "processes lost: ours \(results.map(\.crashes).reduce(0, +)), "
                + "libraries with defaults \(results.map(\.unionCrashes).reduce(0, +))")
        if isVerbose { print(table.details) }
        for goal in table.missedGoals { print("MISSED  \(goal)") }
        return max(compare(table), table.missedGoals.isEmpty ? 0 : 1)
    }

    private func read(_ pictures: [CorpusPicture]) throws -> [PictureResult] {
        let lock = NSLock()
        nonisolated(unsafe) var results = [PictureResult](repeating: PictureResult(), count: pictures.count)
        nonisolated(unsafe) var next = 0
        nonisolated(unsafe) var failure: (any Error)?
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            while true {
                lock.lock()
                let index = next
                next += 1
                lock.unlock()
                guard index < pictures.count else { return }
                do {
                    let result = try read(pictures[index])
                    lock.withLock { results[index] = result }
                } catch {
                    lock.withLock { failure = error }
                    return
                }
            }
        }
        if let failure { throw failure }
        return results
    }

    private func read(_ picture: CorpusPicture) throws -> PictureResult {
        let path = corpus + "/" + picture.path
        let ours = try ContestantProcess(.ours, path: path)
        let zxing = try ContestantProcess(.zxing, path: path)
        let zbar = try ContestantProcess(.zbar, path: path)
        return PictureResult(
            ours: Verdict(ours.readings, of: picture), union: Verdict(zxing.readings + zbar.readings, of: picture),
            milliseconds: ours.milliseconds, crashes: ours.crashes, unionCrashes: zxing.crashes + zbar.crashes)
    }

    private func compare(_ table: CorpusTable) -> Int32 {
        if updates {
            do { try table.expected.write(toFile: expectedPath, atomically: true, encoding: .utf8) } catch {
                print("can't write \(expectedPath): \(error.localizedDescription)")
                return 1
            }
            print("wrote \(expectedPath)")
            return 0
        }
        guard let expected = try? String(contentsOfFile: expectedPath, encoding: .utf8) else {
            print("can't read \(expectedPath): write it with --update")
            return 1
        }
        let differences = table.differences(from: expected)
        for line in differences { print(line) }
        print(differences.isEmpty ? "as expected" : "differs from \(expectedPath)")
        return differences.isEmpty ? 0 : 1
    }
}
