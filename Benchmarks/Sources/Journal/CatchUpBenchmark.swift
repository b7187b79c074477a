import Delivery
import Foundation
import Journal
import Settings

/// A broker that was away while scans came: how fast they go out, with QoS 1, once it is back. An independent client checks that all come,
/// in order.
struct CatchUpBenchmark {
    var scans = 100_000
    /// Scans a second.
    var goal = 2000.0

    private static let grouped = 1000
    private static let patience = 300.0

    /// - Returns: 0; 1 if scans are missing or it is too slow; 2 if it couldn't be measured.
    func run() async -> Int32 {
        do {
            say(Machine.description)
            return try await measure() ? 0 : 1
        } catch {
            say("NOT MEASURED  catch-up: \(error)")
            return 2
        }
    }

    private func measure() async throws -> Bool {
        let scratch = try ScratchFolder("catch-up")
        let seen = SeenScans()
        let broker = try Broker(folder: scratch.path, topic: "bench/scan") { line, _ in seen.take(line) }
        defer { broker.end() }
        // The broker keeps the client's session while it is stopped, so the client misses nothing.
        try broker.start()
        try broker.subscribe()
        try await Task.sleep(for: .seconds(1))
        broker.stop()

        var mqtt = MQTTSettings(host: "127.0.0.1")
        mqtt.port = broker.port
        mqtt.topic = "bench"
        mqtt.discovery = false
        let journal = SQLiteJournal(settings: JournalSettings(), folder: scratch.path + "/state", version: "bench")
        let dispatcher = try Dispatcher(
            settings: [OutputSettings(name: "mqtt", kind: .mqtt(mqtt))], context: OutputContext(station: "bench"),
            journal: journal)
        await journal.open()
        await dispatcher.start()
        dispatcher.journalOpened()
        try await wait("the journal knows the output") { await !journal.report().outputs.isEmpty }
        var maker = ScanMaker()
        for start in stride(from: 0, to: scans, by: Self.grouped) {
            let count = min(Self.grouped, scans - start)
            for event in try await journal.append((0..<count).map { _ in maker.next() }) { dispatcher.submit(event) }
        }
        say("\(scans) scans journaled while the broker was away; in flight at most \(mqtt.inFlight)")
        let back = Clock.now
        try broker.start()
        try broker.keepSubscribed()
        var progress = (next: UInt64(1), at: Clock.now)
        while seen.now.next <= UInt64(scans) {
            let next = seen.now.next
            if next > progress.next { progress = (next, Clock.now) }
            guard Clock.now - progress.at < Self.patience else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        let figures = seen.now
        try? await wait("the journal has the receipts") { await journal.report().outputs.allSatisfy { $0.lag == 0 } }
        let lag = await journal.report().outputs.map(\.lag).max() ?? 0
        await dispatcher.stop(within: .seconds(5))
        await journal.close()
        return judge(figures, back: back, lag: lag)
    }

    private func judge(_ seen: SeenScans.Figures, back: Double, lag: UInt64) -> Bool {
        let arrived = Int(seen.next - 1)
        let seconds = max(seen.last - seen.first, 1e-9)
        let rate = Double(arrived) / seconds
        say(
            "\(arrived) of \(scans) arrived in \(Int(seconds * 1000)) ms, \(Int(rate)) a second, QoS 1; the first came "
                + "\(Int((seen.first - back) * 1000)) ms after the broker; repeated \(seen.repeated), out of order "
                + "\(seen.outOfOrder); receipts missing in the journal \(lag)")
        var problems: [String] = []
        if arrived < scans { problems.append("\(scans - arrived) scans didn't arrive in order") }
        if seen.outOfOrder > 0 { problems.append("\(seen.outOfOrder) came out of order") }
        if lag > 0 { problems.append("\(lag) receipts aren't in the journal") }
        if rate < goal { problems.append("\(Int(rate)) a second, and the goal is \(Int(goal))") }
        for problem in problems { say("FAILED  \(problem)") }
        if problems.isEmpty {
            say("ok    all arrived in order, \(Int(rate / goal * 100)) % of the goal of \(Int(goal)) a second")
        }
        return problems.isEmpty
    }

    private func wait(_ what: String, until holds: () async -> Bool) async throws {
        let deadline = Clock.now + 60
        while await !holds() {
            guard Clock.now < deadline else { throw BenchmarkFailure("\(what): not within 60 s") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
