import Foundation

/// A journal that is full of scans that a required output hasn't taken: nothing more is accepted, nothing that beeped is lost, and scanning
/// resumes by itself as soon as there is room.
struct DiskFullTest {
    /// The sizes of the disk, and of what is freed on it.
    var mebibytes = 6
    var fillerMebibytes = 1
    /// The journal's own limit in the second part.
    var maxScans = 300
    /// Seconds for which a full journal is watched.
    var holdSeconds = 3.0
    var keepsFolder = false

    /// Seconds that anything may take on a busy machine.
    private static let patience = 240.0

    func run() -> StressVerdict {
        StressVerdict.of("disk-full") {
            say("a disk of \(mebibytes) MiB, \(fillerMebibytes) of them taken at first")
            let onDisk = try measure("disk-full") { folder in
                let disk = try SmallDisk(path: folder + "/state", mebibytes: mebibytes)
                try disk.fill(mebibytes: fillerMebibytes)
                return disk
            }
            say("a journal of at most \(maxScans) scans")
            let onLimit = try measure("max-scans") { _ in nil }
            return onDisk && onLimit
        }
    }

    private func measure(_ name: String, _ makeDisk: (String) throws -> SmallDisk?) throws -> Bool {
        let scratch = try ScratchFolder(name)
        defer { if keepsFolder { scratch.keep() } }
        let disk = try makeDisk(scratch.path)
        let serial = SerialHost(device: scratch.path + "/serial")
        defer { serial.end() }
        let ledger = StationLedger()
        var arguments = ["--state", scratch.path + "/state", "--serial", serial.device]
        if disk == nil { arguments += ["--max-scans", String(maxScans)] }
        let run = try StationRun(folder: scratch.path, arguments: arguments, ledger: ledger)
        defer { run.end(SIGKILL) }
        var problems: [String] = []

        try untilFull(run, ledger, &problems)
        if let disk {
            disk.makeRoom()
            try resumed(run, ledger, "room was made on the disk")
            try untilFull(run, ledger, &problems)
        }
        try serial.plugIn()
        try resumed(run, ledger, "the output came back")
        try run.command("pause")
        try promised {
            try run.wait(for: "everything that beeped arrives", limit: Self.patience) {
                let count = ledger.keptCount
                return serial.record.count >= count && !isGrowing(ledger, from: count)
            }
        }
        run.end(SIGTERM)
        return judge(ledger.now, serial.record, &problems)
    }

    /// Scans until the station says for good that it can't keep more: at first it may find room by emptying its write-ahead log.
    private func untilFull(_ run: StationRun, _ ledger: StationLedger, _ problems: inout [String]) throws {
        let before = ledger.keptCount
        var full = ledger.now
        var since = Clock.now
        try run.wait(for: "the journal is full for good", limit: Self.patience) {
            let now = ledger.now
            // Scans that were on their way when it became full may still have found room.
            let settles = Clock.now - since < 0.5
            if now.journalStates != full.journalStates || (settles && now.kept.count > full.kept.count) {
                (full, since) = (now, now.journalStates != full.journalStates ? Clock.now : since)
            }
            guard now.journalStates.last == "full", now.kept.count > before else { return false }
            return Clock.now - since > holdSeconds
        }
        let later = ledger.now
        let times = later.journalStates.count { $0 == "full" }
        say("  full with \(later.kept.count) scans (for the \(times). time); errors told: \(later.errorText)")
        if later.kept.count > full.kept.count {
            problems.append("\(later.kept.count - full.kept.count) scans beeped while the journal was full")
        }
        if later.announced.count > later.kept.count {
            problems.append("\(later.announced.count - later.kept.count) scans were announced that weren't kept")
        }
    }

    private func resumed(_ run: StationRun, _ ledger: StationLedger, _ cause: String) throws {
        let (began, before) = (Clock.now, ledger.keptCount)
        try promised {
            try run.wait(for: "scanning goes on after \(cause)", limit: Self.patience) { ledger.keptCount > before }
        }
        let seconds = ((Clock.now - began) * 10).rounded() / 10
        say("  \(cause): the next scan was kept \(seconds) s later")
    }

    /// What `body` waits for is part of the verdict.
    private func promised(_ body: () throws -> Void) throws {
        do { try body() } catch let late as StationRun.TimedOut { throw BrokenPromise(late.description) }
    }

    private func isGrowing(_ ledger: StationLedger, from count: Int) -> Bool {
        usleep(500_000)
        return ledger.keptCount != count
    }

    private func judge(_ told: StationLedger.Contents, _ record: DeliveryRecord, _ problems: inout [String]) -> Bool {
        let arrivals = record.arrivals
        // Delivered scans were dropped from the journal to make room: what it kept, and said, is the truth here. The client on the
        // control socket may have come after the first scan.
        let texts = Dictionary(
            arrivals.map { ($0.id, $0.text) } + told.announced.map { ($0.id, $0.text) }
        ) { _, told in told }
        let kept = told.kept.map { Delivered(sequence: $0.sequence, id: $0.id, text: texts[$0.id] ?? "") }
        let verdict = DeliveryVerdict(arrivals, beeped: told.kept, journal: kept)
        say(
            "  scans beeped \(told.kept.count), delivered \(verdict.distinct), repeated \(verdict.repeated), lost "
                + "\(verdict.lost.count), invented \(verdict.invented.count), out of order \(verdict.outOfOrder.count)")
        if let problem = verdict.problem(mostRepeats: 1) { problems.append(problem) }
        if !told.journalStates.contains("full") { problems.append("the station never said that it can't keep scans") }
        for problem in problems { say("FAILED  \(problem)") }
        if problems.isEmpty { say("ok    nothing that beeped was lost; scanning went on by itself") }
        return problems.isEmpty
    }
}
