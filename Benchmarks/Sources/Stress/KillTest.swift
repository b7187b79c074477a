import Foundation
import Journal

/// SIGKILL at random instants under continuous scanning, while the broker is stopped and started and the serial line is unplugged.
///
/// What beeped must arrive at every required output, in order the first time; nothing that the journal doesn't have may arrive; and no more
/// may be repeated than can have been under way.
struct KillTest {
    var kills = 200
    var seed: UInt64 = 1
    var mutation = Mutation.none
    /// Scans under way to the broker at once.
    var inFlight = 20
    /// After this many seconds without a new arrival, an output that hasn't got everything won't get it.
    var patience = 30.0
    /// Keeps the folder for a look at its logs.
    var keepsFolder = false

    /// One in this many kills comes while the station starts.
    private static let startKills = 6
    private static let startSeconds = 0.0...0.5
    private static let scanSeconds = 0.0...1.0

    func run() -> StressVerdict { StressVerdict.of("kill", measure) }

    private func measure() throws -> Bool {
        let scratch = try ScratchFolder("kill")
        defer { if keepsFolder { scratch.keep() } }
        let serial = SerialHost(device: scratch.path + "/serial")
        let broker = try Broker(folder: scratch.path, topic: StressStationCommand.topic + "/scan")
        defer {
            broker.end()
            serial.end()
        }
        try broker.start()
        try broker.subscribe()
        try serial.plugIn()

        let began = Clock.now
        let ledger = StationLedger()
        let test = Station(folder: scratch.path, serial: serial, broker: broker, ledger: ledger)
        var random = SplitMix(seed: seed)
        let saboteurs = [
            Saboteur(
                seed: random.next(), whole: 1...4, broken: 0.2...1.5, break: { broker.stop() },
                mend: {
                    try broker.start(); try broker.keepSubscribed()
                }),
            Saboteur(
                seed: random.next(), whole: 0.5...3, broken: 0.1...1, break: { serial.unplug() },
                mend: { try serial.plugIn() }),
        ]
        do {
            for number in 1...max(1, kills) {
                try kill(test, &random)
                if number.isMultiple(of: 20) || number == kills {
                    say("  \(number) kills, \(ledger.keptCount) scans, \(Int(Clock.now - began)) s")
                }
            }
        } catch {
            for saboteur in saboteurs { try? saboteur.stop() }
            throw error
        }
        for saboteur in saboteurs { try saboteur.stop() }
        try broker.keepSubscribed()
        let drained = try drain(test)
        // If its peers were away, a mutation would seem to be caught by what only they have lost.
        guard broker.isRunning, serial.isPluggedIn else {
            throw BenchmarkFailure("the broker or the serial line was away at the end: see their logs with --keep")
        }
        guard ledger.keptCount > 0 else { throw BenchmarkFailure("no scan beeped") }
        let journal = try JournalFile.kept(in: test.state)
        return judge(test, journal: journal, seconds: Clock.now - began, drain: drained)
    }

    /// What the kills are done to.
    private struct Station {
        var folder: String
        var serial: SerialHost
        var broker: Broker
        var ledger: StationLedger
        var state: String { folder + "/state" }

        func start(inFlight: Int, mutation: Mutation) throws -> StationRun {
            try StationRun(
                folder: folder,
                arguments: [
                    "--state", state, "--serial", serial.device, "--mqtt-port", String(broker.port), "--in-flight",
                    String(inFlight), "--mutation", mutation.rawValue,
                ], ledger: ledger)
        }
    }

    private func kill(_ test: Station, _ random: inout SplitMix) throws {
        let before = test.ledger.keptCount
        let run = try test.start(inFlight: inFlight, mutation: mutation)
        if random.next() % UInt64(Self.startKills) == 0 {
            usleep(UInt32(random.seconds(in: Self.startSeconds) * 1e6))
        } else {
            try run.wait(for: "the station scans", limit: 120) { test.ledger.keptCount > before }
            usleep(UInt32(random.seconds(in: Self.scanSeconds) * 1e6))
        }
        guard run.process.isRunning else { throw run.ended() }
        run.end(SIGKILL)
        test.serial.catchUp()
    }

    /// No more scans; everything in the journal is delivered. Returns how long that took.
    private func drain(_ test: Station) throws -> Double {
        let began = Clock.now
        let run = try test.start(inFlight: inFlight, mutation: mutation)
        defer { run.end(SIGTERM) }
        let before = test.ledger.keptCount
        try run.wait(for: "the station scans", limit: 120) { test.ledger.keptCount > before }
        try run.command("pause")
        var last = (count: 0, at: Clock.now)
        while true {
            guard run.process.isRunning else { throw run.ended() }
            let kept = Int(try JournalFile(folder: test.state).report().scans)
            let (serial, mqtt) = (test.serial.record.count, test.broker.record.count)
            if serial >= kept, mqtt >= kept, test.ledger.keptCount > before { break }
            if serial + mqtt > last.count { last = (serial + mqtt, Clock.now) }
            if Clock.now - last.at > patience {
                say("  nothing arrived any more for \(Int(patience)) s: serial \(serial), mqtt \(mqtt) of \(kept)")
                break
            }
            usleep(200_000)
        }
        // Repeats come right after it.
        sleep(1)
        return Clock.now - began
    }

    private func judge(_ test: Station, journal: [Delivered], seconds: Double, drain: Double) -> Bool {
        let told = test.ledger.now
        let (unplugs, stops) = (test.serial.timesUnplugged, test.broker.timesStopped)
        say(
            "\(kills) kills (seed \(seed), mutation \(mutation.rawValue)), the broker stopped \(stops) times, the serial line "
                + "unplugged \(unplugs) times, in \(Int(seconds)) s, of which \(Int(drain)) s to drain")
        say(
            "scans beeped: \(told.kept.count) in \(told.commits) commits (announced on the control socket "
                + "\(told.announced.count), beeps heard \(told.beeps)); in the journal \(journal.count)")
        var beeped = told.kept
        let keptIDs = Set(told.kept.map(\.id))
        beeped += told.announced.filter { !keptIDs.contains($0.id) }.map { ($0.sequence, $0.id) }
        var problems: [String] = []
        if beeped.count > told.kept.count {
            problems.append("\(beeped.count - told.kept.count) scans were announced that the journal hadn't kept")
        }
        if told.beepsWithoutCommit > 0 { problems.append("\(told.beepsWithoutCommit) beeps for nothing") }
        if Set(told.kept.map(\.sequence)).count < told.kept.count { problems.append("a sequence was given twice") }
        let outputs = [
            ("serial", test.serial.record, kills + unplugs, "1 for each kill and unplugging"),
            (
                "mqtt", test.broker.record, (kills + stops) * inFlight + stops * Broker.subscriberInFlight,
                "\(inFlight) for each kill and stop, \(Broker.subscriberInFlight) of the client for each stop"
            ),
        ]
        for (name, record, mostRepeats, why) in outputs {
            let verdict = DeliveryVerdict(record.arrivals, beeped: beeped, journal: journal)
            say(
                "\(name): delivered \(verdict.distinct), repeated \(verdict.repeated) (at most \(mostRepeats): \(why)), lost "
                    + "\(verdict.lost.count), invented \(verdict.invented.count), out of order \(verdict.outOfOrder.count)"
            )
            if let problem = verdict.problem(mostRepeats: mostRepeats) { problems.append("\(name): \(problem)") }
            if let line = record.unreadable.first { problems.append("\(name): not a scan: \(line)") }
        }
        for problem in problems { say("FAILED  \(problem)") }
        if problems.isEmpty { say("ok    every scan that beeped arrived, in order, none invented") }
        return problems.isEmpty
    }
}

extension JournalFile {
    /// Everything in a station's journal. One that can't be read has lost what beeped.
    static func kept(in folder: String) throws -> [Delivered] {
        do { return try JournalFile(folder: folder).allScans() } catch {
            throw BrokenPromise("the journal can't be read: \(error)")
        }
    }

    /// Everything in it, in order. Also throws when a row can't be read.
    func allScans() throws -> [Delivered] {
        var scans: [Delivered] = []
        try export(write: { record in
            guard let scan = record.event?.scanBody?.scan else {
                throw BenchmarkFailure("scan \(record.sequence) can't be read: \(record.problem ?? "")")
            }
            scans.append(Delivered(sequence: record.sequence, id: record.id, text: scan.symbol.text ?? ""))
        })
        return scans
    }
}
