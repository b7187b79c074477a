import Foundation
import Journal

/// The station under test, through its troubles: what it reported, how long it took, and what was wrong.
struct NetworkTestRun {
    let network: TestNetwork
    let outputs: [PeerOutput]
    let folder: String
    let gapMilliseconds: Int
    let ledger = StationLedger()
    private(set) var table = RecoveryTable()
    private(set) var problems: [String] = []
    /// For each output, what can have been under way when something broke.
    private(set) var mostRepeats: [String: Int] = [:]
    private var run: StationRun?

    init(network: TestNetwork, outputs: [PeerOutput], folder: String, gapMilliseconds: Int) {
        self.network = network
        self.outputs = outputs
        self.folder = folder
        self.gapMilliseconds = gapMilliseconds
    }

    var state: String { folder + "/state" }

    /// Outputs that have a later scan and not an earlier one.
    var losses: [String] {
        let kept = ledger.now.kept
        return outputs.filter { output in
            let came = Set(output.record.arrivals.map(\.sequence))
            let highest = output.record.highest
            return kept.contains { $0.sequence < highest && !came.contains($0.sequence) }
        }.map(\.name)
    }

    mutating func start() throws {
        ledger.change { $0.outputStates = [:] }
        run = try StationRun(
            folder: folder,
            arguments: [
                "--state", state, "--outputs", folder + "/outputs.yaml", "--gap-milliseconds", String(gapMilliseconds),
            ], launcher: network.station.launcher, ledger: ledger)
    }

    mutating func end(_ signal: Int32) {
        run?.end(signal)
        run = nil
    }

    private func station() throws -> StationRun {
        guard let run else { throw BenchmarkFailure("there is no station") }
        guard run.process.isRunning else { throw run.ended() }
        return run
    }

    // MARK: Troubles

    mutating func suffer(_ trouble: NetworkTrouble, _ seconds: Double, slack: Double, patience: Double) throws {
        let isIdle = trouble == .silenceIdle
        if isIdle {
            try station().command("pause")
            try untilWhole("everything is delivered before it is quiet", limit: patience, patience: patience)
        }
        let before = ledger.now
        let began = Clock.now
        if trouble == .killedWithoutNetwork { end(SIGKILL) }
        try trouble.begin(network)
        if trouble == .killedWithoutNetwork { try start() }
        try last(trouble, after: isIdle ? nil : before.kept.count, since: began, until: began + seconds)
        let mark = try during(trouble, before: before, isIdle: isIdle)
        try trouble.end(network)
        if isIdle { try station().command("resume") }
        allowRepeats(trouble, seconds)
        try recover(trouble, mark: mark, limit: trouble.limit.seconds + slack, patience: patience)
        let longest = table.longest(trouble)
        say(
            "  \(trouble.words) for \(RecoveryTable.text(seconds)) s: all is whole \(RecoveryTable.text(longest)) s later"
        )
    }

    /// Watches what outputs say about themselves while they can't deliver.
    ///
    /// - Parameter scans: kept before; the first one after them reveals the trouble. `nil`: there is none.
    private mutating func last(
        _ trouble: NetworkTrouble, after scans: Int?, since began: Double, until end: Double
    ) throws {
        var asked = outputs.compactMap { output -> (output: PeerOutput, limit: Double)? in
            Self.honesty(trouble, output).map { (output, $0 + Self.promptness) }
        }
        var found = scans == nil ? began : nil
        while Clock.now < end {
            _ = try station()
            if found == nil, let scans {
                let told = ledger.now
                if told.kept.count > scans { found = told.keptAt[told.kept[scans].id] }
            }
            while let found, let index = asked.firstIndex(where: { found + $0.limit <= Clock.now }) {
                let output = asked.remove(at: index).output
                let told = ledger.now.outputStates[output.name]
                if told == "ready" {
                    problems.append(
                        "\(trouble.words): \(output.name) still says \"ready\" after \(Int(Clock.now - began)) s without network"
                    )
                }
            }
            usleep(5000)
        }
    }

    /// Seconds that a busy machine may take to say so.
    private static let promptness = 2.0

    /// Seconds after which an output must have noticed; `nil`: it needn't notice.
    private static func honesty(_ trouble: NetworkTrouble, _ output: PeerOutput) -> Double? {
        switch trouble {
        case .cableOut, .cableOutLong, .silence, .silenceLong, .answersLost, .noRoute: output.silence
        case .silenceIdle: output.idle
        case .newAddress, .onlyIPv6, .onlyIPv4, .smallPackets, .hostsMoved, .killedWithoutNetwork: nil
        }
    }

    /// Checks what was scanned meanwhile; returns the sequence of the first scan after it.
    private mutating func during(
        _ trouble: NetworkTrouble, before: StationLedger.Contents, isIdle: Bool
    ) throws -> UInt64 {
        if trouble == .killedWithoutNetwork {
            let run = try station()
            try run.wait(for: "it scans without a network", limit: 120) { ledger.keptCount > before.kept.count }
        }
        let now = ledger.now
        if !isIdle, trouble.seconds.lowerBound >= 2 {
            if now.kept.count == before.kept.count {
                problems.append("\(trouble.words): nothing was scanned meanwhile")
            }
            if now.beeps == before.beeps { problems.append("\(trouble.words): nothing beeped meanwhile") }
        }
        let last = before.kept.last?.sequence ?? 0
        // The last ones may be under way.
        for output in outputs where trouble.spares(output) && now.kept.count > before.kept.count + 3 {
            guard output.record.highest <= last else { continue }
            problems.append("\(trouble.words): \(output.name) delivered nothing meanwhile, though it could")
        }
        return (now.kept.last?.sequence ?? 0) + 1
    }

    private mutating func allowRepeats(_ trouble: NetworkTrouble, _ seconds: Double) {
        for output in outputs {
            // A connection is lost when it breaks, and perhaps once more when it is made again.
            var most = 2 * output.atOnce
            if let again = output.again { most += Int(min(seconds, 35) / again) + 1 }
            mostRepeats[output.name, default: 0] += most
        }
    }

    // MARK: Recovery

    /// Until each output has the first scan that came after the trouble, and with it all before it, and says that it is ready.
    private mutating func recover(
        _ trouble: NetworkTrouble, mark: UInt64, limit: Double, patience: Double
    ) throws {
        let began = Clock.now
        table.count(trouble)
        var left = outputs
        while !left.isEmpty {
            _ = try station()
            let states = ledger.now.outputStates
            let took = Clock.now - began
            for output in left where output.record.highest >= mark && states[output.name] == "ready" {
                table.add(trouble, output.name, took)
                left.removeAll { $0.name == output.name }
                guard took > limit else { continue }
                problems.append(
                    "\(trouble.words): \(output.name) was whole again after \(RecoveryTable.text(took)) s, where "
                        + "\(RecoveryTable.text(limit)) is the limit (\(trouble.limit.why))")
            }
            guard took < limit + patience else {
                let words = left.map {
                    "\($0.name) (\(states[$0.name] ?? "no state"), \($0.record.highest) of \(mark))"
                }
                throw BrokenPromise(
                    "\(trouble.words): \(Int(took)) s after it was over these deliver nothing: \(words.joined(separator: ", "))"
                )
            }
            usleep(5000)
        }
    }

    mutating func untilWhole(_ what: String, limit: Double, patience: Double) throws {
        let run = try station()
        let began = Clock.now
        let before = ledger.keptCount
        do {
            try run.wait(for: what, limit: limit + patience) {
                let kept = ledger.now.kept
                guard kept.count > 0, let last = kept.last?.sequence else { return false }
                let mark = before > 0 ? min(last, UInt64(before)) : last
                return outputs.allSatisfy { $0.record.highest >= mark }
            }
        } catch let late as StationRun.TimedOut {
            let missing = outputs.filter { $0.record.highest == 0 }.map(\.name)
            throw BrokenPromise(
                "\(late)" + (missing.isEmpty ? "" : "; nothing ever arrived at \(missing.joined(separator: ", "))"))
        }
        if Clock.now - began > limit { problems.append("\(what): only after \(Int(Clock.now - began)) s") }
    }

    /// No more scans; everything arrives.
    mutating func drain(_ patience: Double) throws {
        try station().command("pause")
        var last = (count: 0, at: Clock.now)
        while Clock.now - last.at < patience {
            _ = try station()
            let kept = ledger.keptCount
            let counts = outputs.map(\.record.count)
            if counts.allSatisfy({ $0 >= kept }), Clock.now - last.at > 0.5 { break }
            let sum = counts.reduce(kept, +)
            if sum > last.count { last = (sum, Clock.now) }
            usleep(100_000)
        }
        end(SIGTERM)
    }
}
