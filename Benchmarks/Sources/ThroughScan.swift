import Foundation
import ReaderProtocol
import Reading
import StationConfiguration
import Wire

/// The corpus as a user reads it: by `scanstation scan`, with a configuration that switches on what the benchmark's own contestant
/// reads with, judged as the contestants are and compared with the counts in the tree.
struct ThroughScan {
    var executables = StressExecutables.folder
    var corpus = "../shared/corpus"
    var configuration = "Benchmarks/corpus.yaml"
    var expectedPath = "Benchmarks/corpus-expected.tsv"
    var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// A file with what a `scanstation scan` has said already, of the corpus at `/corpus`: the package's, which runs in a root of its own.
    var linesPath: String?
    /// Write the counts again instead of holding these against them.
    var updates = false

    /// - Returns: 0; 1 if a group has other counts than expected, better ones included, as it is the same reading; 2 if it couldn't be measured.
    func run() -> Int32 {
        do {
            return try measure() ? 0 : 1
        } catch {
            print("NOT MEASURED  through scan: \(error)")
            return 2
        }
    }

    private func measure() throws -> Bool {
        try checkConfiguration()
        let pictures = try CorpusPicture.load(from: corpus)
        guard !pictures.isEmpty else { throw BenchmarkFailure("no picture in \(corpus)") }
        let lines =
            if let linesPath { try Self.read(Data(contentsOf: URL(fileURLWithPath: linesPath))) } else {
                try scan(pictures)
            }
        let place = linesPath == nil ? corpus : "/corpus"
        var counts = CorpusCounts()
        var notes: [String] = []
        for picture in pictures {
            let line = lines[place + "/" + picture.path]
            if line == nil { notes.append("scan said nothing of \(picture.path)") }
            if let error = line?.error { notes.append("\(picture.path): \(error)") }
            counts.add(Verdict(line?.readings ?? [], of: picture), to: picture)
        }
        for note in notes { print(note) }
        if updates {
            try counts.file(by: "scanstation-bench through-scan --update")
                .write(toFile: expectedPath, atomically: true, encoding: .utf8)
            print("wrote \(expectedPath)   right \(counts.total.right)   wrong \(counts.total.wrong)")
            return true
        }
        let expected = CorpusCounts(file: try String(contentsOfFile: expectedPath, encoding: .utf8))
        guard !expected.groups.isEmpty else { throw BenchmarkFailure("no group in \(expectedPath)") }
        return compare(counts, expected)
    }

    /// Another table of symbologies would be another contest.
    private func checkConfiguration() throws {
        let settings = try StationConfiguration.load(path: configuration).settings
        guard DecodeRules(settings.reading) == Contestant.rules else {
            throw BenchmarkFailure(
                "\(configuration) doesn't switch on what the benchmark reads with (Contestant.rules)")
        }
    }

    /// What was said about each picture, by its path.
    private func scan(_ pictures: [CorpusPicture]) throws -> [String: ScannedPicture] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executables + "/scanstation")
        process.arguments =
            ["scan", "--config", configuration, "--jobs", String(min(jobs, 16))]
            + pictures.map { corpus + "/" + $0.path }
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch {
            throw BenchmarkFailure(
                "\(executables)/scanstation can't be started: \(error.localizedDescription); build it first")
        }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // 1: nothing was read. What it has said still counts.
        guard process.terminationReason == .exit, process.terminationStatus <= 1 else {
            throw BenchmarkFailure("scanstation scan ended with \(process.terminationStatus)")
        }
        return try Self.read(output)
    }

    private static func read(_ output: Data) throws -> [String: ScannedPicture] {
        var scanned: [String: ScannedPicture] = [:]
        for line in output.split(separator: 0x0A) {
            let picture = try ScannedPicture(line: Array(line))
            scanned[picture.file] = picture
        }
        return scanned
    }

    private func compare(_ counts: CorpusCounts, _ expected: CorpusCounts) -> Bool {
        var isSame = true
        for group in Set(expected.groups.keys).union(counts.groups.keys).sorted() {
            let ours = expected.groups[group] ?? CorpusCounts.Count()
            let through = counts.groups[group] ?? CorpusCounts.Count()
            guard through != ours else { continue }
            let isLoss = through.right < ours.right || through.wrong > ours.wrong
            print(
                "\(isLoss ? "lost" : "won"): \(group): right \(ours.right) → \(through.right), "
                    + "wrong \(ours.wrong) → \(through.wrong)")
            isSame = false
        }
        let (through, ours) = (counts.total, expected.total)
        print("ours, as expected   right \(ours.right)   wrong \(ours.wrong)")
        print("scanstation scan    right \(through.right)   wrong \(through.wrong)")
        print(isSame ? "ok    scan reads what the table says" : "FAILED  scan doesn't read what the table says")
        return isSame
    }
}
