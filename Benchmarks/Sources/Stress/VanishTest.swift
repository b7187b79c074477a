import Foundation
import Journal

/// The journal is lost under a running station in every possible way, with and without scans that an output still waits for, and also with
/// a SIGKILL right after the loss.
///
/// The station must report it before anything else beeps, keep nothing until it has a journal, resume by itself, and lose no scan that
/// beeped: undelivered scans go into the new journal.
struct VanishTest {
    /// Times that each loss happens.
    var rounds = 3
    var seed: UInt64 = 1
    /// `false`: the mutation. The station doesn't look at the files that it has open.
    var watchesFiles = true
    var keepsFolder = false
    /// The losses that happen.
    var kinds = JournalLoss.allCases

    /// Seconds after a loss within which it must be told before anything else beeps. The station looks each second; a busy machine is slow to
    /// look, and to tell. How long it took is printed.
    private static let latest = 3.0
    /// Seconds after which a damage that may have been hidden by a commit is done again.
    private static let again = 1.5
    /// Seconds after it was told for which scans may be read here that beeped before.
    private static let onTheirWay = 1.0
    /// Seconds for which a lasting loss is watched.
    private static let hold = 2.0
    /// Seconds without the output before a loss: what waits for it then fits into memory (256 scans).
    private static let unplugged = 0.0...1.0
    /// Scans that may wait before no more are read until they have arrived.
    private static let backlog = 64

    func run() -> StressVerdict {
        StressVerdict.of("vanish") {
            do { return try measure() } catch let late as StationRun.TimedOut { throw BrokenPromise(late.description) }
        }
    }

    private func measure() throws -> Bool {
        let scratch = try ScratchFolder("vanish")
        defer { if keepsFolder { scratch.keep() } }
        let disk = try RemovableDisk(
            path: scratch.path + "/disk", image: scratch.path + "/image", log: scratch.path + "/disk.log")
        let serial = SerialHost(device: scratch.path + "/serial")
        defer { serial.end() }
        try serial.plugIn()
        var test = Station(folder: scratch.path, disk: disk, serial: serial, watchesFiles: watchesFiles)
        try test.start()
        defer { test.run?.end(SIGKILL) }
        var random = SplitMix(seed: seed)
        var (slowest, waiting, kills) = ([JournalLoss: Double](), 0, 0)
        let began = Clock.now
        for _ in 1...max(1, rounds) {
            for loss in Self.shuffled(kinds, &random) {
                if random.next() % 2 == 0 { serial.unplug() }
                usleep(UInt32(random.seconds(in: Self.unplugged) * 1e6))
                test.note(loss)
                let seconds = try test.lose(loss)
                slowest[loss] = max(slowest[loss] ?? 0, seconds)
                if random.next() % 2 == 0 {
                    try test.kill()
                    kills += 1
                }
                waiting += serial.isPluggedIn ? 0 : 1
                try serial.plugIn()
                try test.delivered()
                try test.giveBack(loss)
                try test.delivered()
            }
        }
        try test.finish()
        say(
            "\(rounds * kinds.count) losses in \(Int(Clock.now - began)) s (seed \(seed)), \(waiting) with "
                + "scans that waited, \(kills) followed by SIGKILL")
        say(
            "told, at the latest: "
                + kinds.map {
                    "\($0.rawValue) \(Int((slowest[$0, default: 0] * 1000).rounded())) ms"
                }.joined(separator: ", "))
        return test.judge()
    }

    private static func shuffled(_ losses: [JournalLoss], _ random: inout SplitMix) -> [JournalLoss] {
        losses.map { (random.next(), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// What the losses are done to.
    private struct Station {
        let folder: String
        let disk: RemovableDisk
        let serial: SerialHost
        let watchesFiles: Bool
        let ledger = StationLedger()
        var run: StationRun?
        /// What the journals held that were there at a kill or the end, by id: what was committed and not yet told is the journal's.
        var journals: [String: Delivered] = [:]
        var problems: [String] = []
        var losses: [JournalLoss] = []
        /// When the last one happened, and how many scans had beeped by then and not arrived.
        var last = (at: 0.0, waiting: 0)

        init(folder: String, disk: RemovableDisk, serial: SerialHost, watchesFiles: Bool) {
            (self.folder, self.disk, self.serial, self.watchesFiles) = (folder, disk, serial, watchesFiles)
        }

        /// Seconds that anything may take on a busy machine. What a blind station lost stays away: there is no need to wait as long.
        private var patience: Double { watchesFiles ? 60 : 15 }

        /// A folder on the disk, because a mount point itself can't be moved.
        var state: String { disk.path + "/state" }

        mutating func start() throws {
            let before = ledger.keptCount
            // What waits while the output is away fits into memory, and the line, which rests 20 ms after each answer, catches up.
            let arguments = ["--state", state, "--serial", serial.device, "--gap-milliseconds", "60"]
            run = try StationRun(
                folder: folder, arguments: arguments + (watchesFiles ? [] : ["--blind"]), ledger: ledger)
            try scans(after: before)
        }

        func wait(_ what: String, _ holds: () throws -> Bool) throws {
            let last = losses.last.map { " (the last loss, number \(losses.count): \($0.rawValue))" } ?? ""
            try run?.wait(for: what + last, limit: patience, holds)
        }

        private func scans(after count: Int) throws { try wait("the station scans") { ledger.keptCount > count } }

        /// Returns after how many seconds it was told; scans are kept again.
        mutating func lose(_ loss: JournalLoss) throws -> Double {
            let toldBefore = ledger.now.journalStates.count
            var at = Clock.now
            try loss.apply(state: state, disk: disk)
            try wait("\(loss.rawValue): the station says that the journal is lost") {
                if isTold(since: toldBefore) { return true }
                if loss.hidesInACommit, Clock.now - at > VanishTest.again {
                    at = Clock.now
                    try loss.apply(state: state, disk: disk)
                }
                return false
            }
            let seconds = judgeTold(loss.rawValue, since: at)
            if loss.lasts {
                usleep(UInt32(VanishTest.onTheirWay * 1e6))
                let before = ledger.keptCount
                usleep(UInt32(VanishTest.hold * 1e6))
                let count = ledger.keptCount - before
                if count > 0 { problems.append("\(loss.rawValue): \(count) scans beeped while nothing can be kept") }
            }
            let before = ledger.keptCount
            try loss.mend(disk: disk)
            try scans(after: before)
            return seconds
        }

        /// The disk comes back, or what lay over the journal goes: that is a loss, too.
        mutating func giveBack(_ loss: JournalLoss) throws {
            if loss.returns, loss != .covered {
                do {
                    try wait("the station releases a disk that is gone") { disk.isReleased }
                } catch {
                    say("open in the station: \(openFiles.joined(separator: ", "))")
                    throw error
                }
            }
            let (toldBefore, at) = (ledger.now.journalStates.count, Clock.now)
            try loss.tidy(state: state, disk: disk)
            guard loss.returns else { return }
            try wait("\(loss.rawValue), and back: the station says that the journal is lost") {
                isTold(since: toldBefore)
            }
            _ = judgeTold("\(loss.rawValue), and back", since: at)
            try scans(after: ledger.keptCount)
        }

        /// What the station has open, except sockets and the like.
        private var openFiles: [String] {
            guard let run else { return [] }
            let folder = "/proc/\(run.process.pid)/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let links = names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            return links.filter { $0.hasPrefix("/") && !$0.hasPrefix("/dev/") }.sorted()
        }

        private func isTold(since states: Int) -> Bool {
            ledger.now.journalStates.dropFirst(states).contains("unavailable")
        }

        private mutating func judgeTold(_ loss: String, since at: Double) -> Double {
            let now = Clock.now
            let late = ledger.now.keptAt.values.count { $0 > at + VanishTest.latest && $0 < now }
            if late > 0 { problems.append("\(loss): \(late) scans beeped before it was told") }
            return now - at
        }

        mutating func kill() throws {
            run?.end(SIGKILL)
            serial.catchUp()
            try readJournal()
            try start()
        }

        private mutating func readJournal() throws {
            do {
                for scan in try JournalFile(folder: state).allScans() { journals[scan.id] = scan }
            } catch {
                throw BrokenPromise("the new journal can't be read: \(error)")
            }
        }

        /// Everything that has beeped so far arrives. On a disk with slow flushes, delivery is slower than reading: reading pauses then, and
        /// delivery only has to keep going.
        func delivered() throws {
            let beeped = ledger.now.kept.map(\.id)
            var left = count(of: beeped)
            let pauses = left > VanishTest.backlog
            if pauses { try run?.command("pause") }
            while left > 0 {
                do {
                    try wait("what beeped arrives") { count(of: beeped) < left }
                } catch let late as StationRun.TimedOut {
                    throw BrokenPromise("\(late.description): \(missing)")
                }
                left = count(of: beeped)
            }
            if pauses { try run?.command("resume") }
        }

        /// How many of these haven't arrived.
        private func count(of beeped: [String]) -> Int {
            let arrived = Set(serial.record.arrivals.lazy.map(\.id))
            return beeped.count { !arrived.contains($0) }
        }

        /// What has beeped and not arrived.
        private var missing: String {
            let (told, arrived) = (ledger.now, Set(serial.record.arrivals.lazy.map(\.id)))
            let missing = told.kept.enumerated().filter { !arrived.contains($0.element.id) }
            let seconds = missing.map { told.keptAt[$0.element.id, default: 0] - last.at }
            return """
                \(missing.count) of \(told.kept.count) haven't, numbers \(missing.first?.offset ?? 0) to \(missing.last?.offset ?? 0), kept \
                \(seconds.min() ?? 0) to \(seconds.max() ?? 0) s after the last loss, before which \(last.waiting) waited; journal states \
                \(told.journalStates.suffix(6)), outputs \(told.outputStates), errors \(told.errorText)
                """
        }

        /// To be called just before the loss.
        mutating func note(_ loss: JournalLoss) {
            losses.append(loss)
            last = (Clock.now, count(of: ledger.now.kept.map(\.id)))
        }

        mutating func finish() throws {
            try run?.command("pause")
            try wait("everything that beeped arrives") {
                let count = ledger.keptCount
                usleep(500_000)
                return ledger.keptCount == count
            }
            try delivered()
            run?.end(SIGTERM)
            try readJournal()
        }

        /// Compares what arrived with what beeped and what the journals had.
        mutating func judge() -> Bool {
            let (told, arrivals) = (ledger.now, serial.record.arrivals)
            let texts = Dictionary((arrivals + told.announced).map { ($0.id, $0.text) }) { _, told in told }
            let beeped = told.kept.map { Delivered(sequence: $0.sequence, id: $0.id, text: texts[$0.id] ?? "") }
            let kept = Dictionary(beeped.map { ($0.id, $0) }) { first, _ in first }.merging(journals) { _, journal in
                journal
            }
            let verdict = DeliveryVerdict(arrivals, beeped: told.kept, journal: Array(kept.values))
            say(
                "scans beeped \(told.kept.count), delivered \(verdict.distinct), repeated \(verdict.repeated), lost "
                    + "\(verdict.lost.count), invented \(verdict.invented.count), out of order \(verdict.outOfOrder.count)"
            )
            // One under way when the line is pulled out, at a kill, and when the journal is lost before its receipt is in it; and again
            // when the disk comes back.
            let mostRepeats = 4 * told.journalStates.count { $0 == "unavailable" }
            if let problem = verdict.problem(mostRepeats: mostRepeats) { problems.append(problem) }
            for problem in problems.prefix(10) { say("FAILED  \(problem)") }
            if problems.isEmpty { say("ok    every loss was told, and nothing that beeped was lost") }
            return problems.isEmpty
        }
    }
}
