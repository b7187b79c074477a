import Delivery
import Foundation
import Journal
import Settings
import Wire

/// Accept to durable commit, scan by scan, with every output attached and delivering, compared with a bare SQLite loop. The two take turns,
/// commit by commit, so that other load on the machine, including the outputs' work, is the same for both.
struct CommitBenchmark {
    /// Scans and rows in a turn.
    static let turn = 100

    let folder: String
    let scans: Int
    let outputs: [OutputSettings]

    struct Figures {
        /// What the journal says about its place.
        var warning: String?
        var journal: [Double] = []
        var bare: [Double] = []
        /// Scans a second, one after the other, and until the slowest output had all of them.
        var sustained = (kept: 0.0, delivered: 0.0)
        var lineBytes = 0
        /// All scans that were kept, and so delivered to each output.
        var count = 0
    }

    func measure() async throws -> Figures {
        var settings = JournalSettings()
        settings.folder = folder
        let journal = SQLiteJournal(settings: settings, folder: folder + "/ours", version: "bench")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let bare = try BareJournal(path: folder + "/bare.db")
        let dispatcher = try Dispatcher(settings: outputs, context: OutputContext(station: "bench"), journal: journal)
        await journal.open()
        var figures = Figures(warning: await journal.report().warning)
        await dispatcher.start()
        dispatcher.journalOpened()
        try await registered(journal)
        var maker = ScanMaker()
        for turn in 0..<max(2, scans / Self.turn) {
            let events = (0..<Self.turn).map { _ in maker.next() }
            let rows = events.map(BareJournal.Row.init)
            figures.lineBytes = rows[0].line.count
            // The first turns warm up: caches, the outputs' connections.
            let counts = turn > 0
            for index in events.indices {
                // Each goes first as often as the other, because the second one finds the outputs at work on the previous scan.
                for isOurs in index.isMultiple(of: 2) ? [true, false] : [false, true] {
                    let began = Clock.now
                    if isOurs {
                        let kept = try await journal.append([events[index]])
                        if counts { figures.journal.append(Clock.now - began) }
                        for event in kept { dispatcher.submit(event) }
                    } else {
                        try bare.insert(rows[index])
                        if counts { figures.bare.append(Clock.now - began) }
                    }
                }
            }
        }
        try await delivered(journal)
        figures.sustained = try await sustained(journal, dispatcher, &maker)
        figures.count = Int(maker.count)
        await dispatcher.stop(within: .seconds(10))
        await journal.close()
        return figures
    }

    /// Nothing but scans, as fast as they are kept.
    private func sustained(
        _ journal: any ScanJournal, _ dispatcher: Dispatcher, _ maker: inout ScanMaker
    ) async throws -> (kept: Double, delivered: Double) {
        let events = (0..<scans).map { _ in maker.next() }
        let began = Clock.now
        for event in events {
            for event in try await journal.append([event]) { dispatcher.submit(event) }
        }
        let kept = Clock.now - began
        try await delivered(journal)
        return (Double(scans) / kept, Double(scans) / (Clock.now - began))
    }

    private func registered(_ journal: any ScanJournal) async throws {
        let deadline = Clock.now + 30
        while await journal.report().outputs.count < outputs.count {
            guard Clock.now < deadline else { throw BenchmarkFailure("the journal doesn't know the outputs") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func delivered(_ journal: any ScanJournal) async throws {
        let deadline = Clock.now + 120
        while true {
            let behind = await journal.report().outputs.filter { $0.lag > 0 }
            if behind.isEmpty { return }
            guard Clock.now < deadline else {
                throw BenchmarkFailure(
                    "outputs don't deliver: \(behind.map { "\($0.name) \($0.lag)" }.joined(separator: ", "))")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
