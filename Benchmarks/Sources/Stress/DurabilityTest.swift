import Foundation
import Journal

/// Power cuts at random instants under continuous scanning: what beeped must be in the journal. SIGKILL alone can't show whether commits
/// are flushed, because the kernel still writes what a killed process wrote; see `PowerCut`.
struct DurabilityTest {
    var cuts = 40
    var seed: UInt64 = 1
    var synchronous = SynchronousSetting.full
    var keepsFolder = false

    /// How many seconds after a run's first scan power is cut.
    private static let scanSeconds = 0.0...1.5

    func run() -> StressVerdict { StressVerdict.of("durability", measure) }

    private func measure() throws -> Bool {
        let scratch = try ScratchFolder("durability")
        defer { if keepsFolder { scratch.keep() } }
        let disk = try PowerCut(folder: scratch.path)
        let ledger = StationLedger()
        var random = SplitMix(seed: seed)
        var lost: Set<String> = []
        var (lostBytes, journals) = (0, Set<String>())
        for number in 1...max(1, cuts) {
            let before = ledger.keptCount
            let run = try StationRun(
                folder: scratch.path, arguments: ["--state", disk.state, "--synchronous", String(synchronous.number)],
                environment: try disk.environment(), ledger: ledger)
            try run.wait(for: "the station scans", limit: 120) { ledger.keptCount > before }
            usleep(UInt32(random.seconds(in: Self.scanSeconds) * 1e6))
            guard run.process.isRunning else { throw run.ended() }
            run.end(SIGKILL)
            lostBytes += try disk.cut(number.isMultiple(of: 2) ? .someSectorsSurvive : .nothingSurvives, &random)
            let beeped = Set(ledger.now.kept.map(\.id)).subtracting(lost)
            let (scans, journal) = scansAfterCut(disk)
            journal.map { _ = journals.insert($0) }
            lost.formUnion(beeped.subtracting(scans))
            if number.isMultiple(of: 10) || number == cuts {
                say("  \(number) cuts, \(ledger.keptCount) scans beeped, \(lost.count) lost")
            }
        }
        guard ledger.keptCount > 0 else { throw BenchmarkFailure("no scan beeped") }
        guard (disk.calls["write"] ?? 0) > 0 else {
            throw BenchmarkFailure(
                "the library that is preloaded saw no write on the station's files: it proves nothing")
        }
        return judge(ledger.now, disk, lost: lost.count, lostBytes: lostBytes, journals: journals.count)
    }

    /// What a station would find. A file that can't be read counts as empty.
    private func scansAfterCut(_ disk: PowerCut) -> (ids: Set<String>, journal: String?) {
        let file = JournalFile(folder: disk.state)
        guard let report = try? file.report(), let scans = try? file.allScans() else { return ([], nil) }
        return (Set(scans.map(\.id)), report.id)
    }

    private func judge(
        _ told: StationLedger.Contents, _ disk: PowerCut, lost: Int, lostBytes: Int, journals: Int
    ) -> Bool {
        let calls = disk.calls
        let flushes = (calls["fsync"] ?? 0) + (calls["fdatasync"] ?? 0)
        say(
            "\(cuts) power cuts (seed \(seed)), synchronous=\(synchronous.rawValue.uppercased()): scans beeped "
                + "\(told.kept.count) in \(told.commits) commits, lost \(lost); bytes not flushed at the cuts: \(lostBytes); "
                + "journals \(journals)")
        say(
            "seen by the interposer: "
                + calls.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        var problems: [String] = []
        if lost > 0 { problems.append("\(lost) scans beeped and weren't there after a power cut") }
        if journals != 1 { problems.append("the journal didn't survive: \(journals) different ones were found") }
        if flushes < told.commits {
            problems.append("\(told.commits) commits beeped, and only \(flushes) flushes of files were seen")
        }
        for problem in problems { say("FAILED  \(problem)") }
        if problems.isEmpty { say("ok    every scan that beeped survived the power cuts") }
        return problems.isEmpty
    }
}
