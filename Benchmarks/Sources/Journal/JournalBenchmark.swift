import Foundation
import Journal
import Settings

/// The journal's figures: commits with every output attached, compared with a bare SQLite loop, and what a million scans cost.
struct JournalBenchmark {
    var scans = 1_000_000
    var commits = 2000

    /// How many scans are written in one go when they only have to be there.
    private static let grouped = 1000
    private static let listed = 100
    private static let stationScans = 500

    /// - Returns: 0; 1 if a figure misses its goal; 2 if one couldn't be measured and no other misses its goal.
    func run() async -> Int32 {
        let report = FigureReport()
        var isMeasured = true
        do {
            say(Machine.description)
            try await commitFigures(report)
            try stationFigures()
            try await manyScans(report)
        } catch {
            say("NOT MEASURED  journal: \(error)")
            isMeasured = false
        }
        return ExitStatus.of(isGood: report.isGood, isMeasured: isMeasured)
    }

    private func commitFigures(_ report: FigureReport) async throws {
        let scratch = try ScratchFolder("journal")
        let peers = try OutputPeers(folder: scratch.path)
        let (alone, figures): (CommitBenchmark.Figures, CommitBenchmark.Figures)
        let (arrived, published): ((webhook: Int, serial: Int), Int)
        do {
            defer { peers.end() }
            alone = try await CommitBenchmark(folder: scratch.path + "/alone", scans: commits, outputs: []).measure()
            figures = try await CommitBenchmark(
                folder: scratch.path + "/attached", scans: commits, outputs: peers.settings
            ).measure()
            (arrived, published) = (peers.arrived, peers.publishedSoFar)
        }
        if let warning = figures.warning { say("warning: \(warning)") }
        say(
            "outputs attached: \(peers.settings.map(\.name).joined(separator: ", ")); \(figures.lineBytes) bytes a line"
        )
        say(
            "of \(figures.count) scans the web server was given \(arrived.webhook), the serial host \(arrived.serial), and the "
                + "broker's client had read \(published)")
        guard arrived == (figures.count, figures.count) else {
            throw BenchmarkFailure("scans counted as delivered didn't reach the web server or the serial host")
        }
        tell(alone, "no output", report)
        tell(figures, "every output attached", report)
    }

    private func tell(_ figures: CommitBenchmark.Figures, _ what: String, _ report: FigureReport) {
        let (ours, bare) = (figures.journal, figures.bare)
        func rate(_ times: [Double]) -> Double { Double(times.count) / times.reduce(0, +) }
        func line(_ name: String, _ times: [Double]) {
            say(
                "\(what): \(name): median \(ms(times.median)) ms, p99 \(ms(times.quantile(0.99))) ms, "
                    + "\(Int(rate(times))) a second, of \(times.count)")
        }
        line("accept to durable commit", ours)
        line("bare SQLite loop", bare)
        say(
            "\(what): sustained \(Int(figures.sustained.kept)) scans a second, and \(Int(figures.sustained.delivered)) "
                + "until the slowest output had all")
        report.add(
            "\(what): accept to durable commit, median, of the bare loop's", ours.median / bare.median, "", limit: 1.5)
        report.add("the same, p99", ours.quantile(0.99) / bare.quantile(0.99), "", limit: 1.5)
        report.add("the same, all of them", rate(bare) / rate(ours), "", limit: 1.5)
    }

    /// The whole station, including the scan loop between decode and journal. No peer does that, so the figure is only printed.
    private func stationFigures() throws {
        let scratch = try ScratchFolder("journal-station")
        let serial = SerialHost(device: scratch.path + "/serial")
        let broker = try Broker(folder: scratch.path, topic: StressStationCommand.topic + "/scan")
        defer {
            broker.end()
            serial.end()
        }
        try broker.start()
        try broker.subscribe()
        try serial.plugIn()
        let ledger = StationLedger()
        let run = try StationRun(
            folder: scratch.path,
            arguments: [
                "--state", scratch.path + "/state", "--serial", serial.device, "--mqtt-port", String(broker.port),
                "--gap-milliseconds", "0",
            ], ledger: ledger)
        defer { run.end(SIGTERM) }
        try run.wait(for: "scans are kept", limit: 60) { ledger.keptCount > 0 }
        let began = Clock.now
        try run.wait(for: "further scans are kept", limit: 300) { ledger.keptCount >= Self.stationScans }
        let (seconds, told) = (Clock.now - began, ledger.now)
        say(
            "whole station, replayed pictures, MQTT and serial: decode to durable commit median "
                + "\(ms(told.keptSeconds.median)) ms, p99 \(ms(told.keptSeconds.quantile(0.99))) ms, of "
                + "\(told.kept.count); \(Int(Double(told.kept.count) / seconds)) scans a second as they are read")
    }

    private func manyScans(_ report: FigureReport) async throws {
        let scratch = try ScratchFolder("million")
        let (empty, full) = (scratch.path + "/empty", scratch.path + "/state")
        let began = Clock.now
        try await fill(full)
        let file = JournalFile(folder: full)
        let contents = try file.report()
        say("\(contents.scans) scans journaled in \(Int(Clock.now - began)) s")
        say("file: \(contents.bytes >> 20) MiB, \(contents.bytes / max(1, contents.scans)) bytes a scan")

        var listings: [Double] = []
        for _ in 0..<5 {
            let began = Clock.now
            let last = try file.last(Self.listed)
            guard last.count == Self.listed, last.last?.sequence == contents.last else {
                throw BenchmarkFailure("the last \(Self.listed) weren't listed")
            }
            listings.append((Clock.now - began) * 1000)
        }
        report.add("listing the last \(Self.listed), longest of 5", listings.max() ?? 0, "ms", limit: 50)

        let small = try start(scratch.path, state: empty)
        let large = try start(scratch.path, state: full)
        say(
            "station, start to first scan kept: \(ms(small.seconds)) ms with an empty journal, \(ms(large.seconds)) ms with "
                + "\(contents.scans) scans; PSS \(mb(small.pss)) and \(mb(large.pss)) MB")
        report.add("start with \(contents.scans) scans, to the first scan kept", large.seconds, "s", limit: 1)
        report.add(
            "memory beyond that with an empty journal", max(0, Double(large.pss - small.pss)) / 1e6, "MB", limit: 4)
    }

    private func fill(_ folder: String) async throws {
        var settings = JournalSettings()
        settings.maxScans = max(settings.maxScans, scans + 100_000)
        settings.maxBytes = 16 << 30
        let journal = SQLiteJournal(settings: settings, folder: folder, version: "bench")
        await journal.open()
        var maker = ScanMaker()
        var left = scans
        while left > 0 {
            let count = min(left, Self.grouped)
            _ = try await journal.append((0..<count).map { _ in maker.next() })
            left -= count
        }
        await journal.close()
    }

    /// A whole station with that journal: seconds to the first scan that is kept, and its memory a moment later.
    private func start(_ folder: String, state: String) throws -> (seconds: Double, pss: Int) {
        let ledger = StationLedger()
        let began = Clock.now
        let run = try StationRun(
            folder: folder, arguments: ["--state", state, "--max-scans", String(scans + 200_000)], ledger: ledger)
        defer { run.end(SIGTERM) }
        try run.wait(for: "the first scan is kept", limit: 60) { ledger.keptCount > 0 }
        let seconds = Clock.now - began
        try run.wait(for: "further scans are kept", limit: 60) { ledger.keptCount >= 50 }
        return (seconds, ProcessMemory(pid: run.process.pid).pss)
    }

    private func ms(_ seconds: Double) -> Double { (seconds * 100_000).rounded() / 100 }
    private func mb(_ bytes: Int) -> Double { (Double(bytes) / 100_000).rounded() / 10 }
}
