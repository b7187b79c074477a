import Foundation
import Journal

/// A whole station in its own network: cables pulled, packets silently lost, addresses, routes and names that change.
///
/// What beeped arrives at every output, in order the first time; no more is repeated than can have been under way; each output delivers
/// again within a limit after the network is back, and says so while it can't; scanning goes on all the time.
struct NetworkTest {
    /// What is built in to see that the test catches it.
    enum Fault: String, CaseIterable {
        case none
        /// TCP outputs count a scan as delivered when it is sent.
        case receiptWhenSent
    }

    /// How often each trouble comes.
    var rounds = 2
    var troubles = NetworkTrouble.allCases
    var seed: UInt64 = 1
    var fault = Fault.none
    var keepsFolder = false

    private static let gapMilliseconds = 120
    /// For a busy machine, on top of each limit.
    private static let slack = 5.0
    /// After this long without a new arrival, an output that isn't complete won't be.
    private static let patience = 60.0

    func run() -> StressVerdict { StressVerdict.of("network", measure) }

    private func measure() throws -> Bool {
        // A peer that is killed while it is written to.
        signal(SIGPIPE, SIG_IGN)
        let scratch = try ScratchFolder("network")
        defer { if keepsFolder { scratch.keep() } }
        let network = try TestNetwork(folder: scratch.path)
        defer { network.end() }
        let peers = try NetworkPeers(network, folder: scratch.path)
        defer { peers.end() }
        try NetworkPeers.configuration(receipt: fault == .receiptWhenSent ? "written" : "ack")
            .write(toFile: scratch.path + "/outputs.yaml", atomically: true, encoding: .utf8)
        var watch = NetworkTestRun(
            network: network, outputs: peers.outputs, folder: scratch.path, gapMilliseconds: Self.gapMilliseconds)
        defer { watch.end(SIGKILL) }
        let began = Clock.now
        try watch.start()
        try watch.untilWhole("all outputs deliver at first", limit: 30 + Self.slack, patience: Self.patience)
        var random = SplitMix(seed: seed)
        rounds: for round in 1...max(1, rounds) {
            for trouble in Self.shuffled(troubles, &random) {
                usleep(UInt32(random.seconds(in: 0.5...3) * 1e6))
                try watch.suffer(
                    trouble, random.seconds(in: trouble.seconds), slack: Self.slack, patience: Self.patience)
                if fault != .none, !watch.losses.isEmpty { break rounds }
            }
            say("  round \(round), \(watch.ledger.keptCount) scans, \(Int(Clock.now - began)) s")
        }
        // What is lost stays away; there is no need to wait for it as long as for what is late.
        try watch.drain(fault == .none ? Self.patience : 15)
        let journal = try JournalFile.kept(in: watch.state)
        return judge(watch, journal: journal, seconds: Clock.now - began)
    }

    private static func shuffled(_ troubles: [NetworkTrouble], _ random: inout SplitMix) -> [NetworkTrouble] {
        var left = troubles
        var order: [NetworkTrouble] = []
        while !left.isEmpty { order.append(left.remove(at: Int(random.next() % UInt64(left.count)))) }
        return order
    }

    private func judge(_ run: NetworkTestRun, journal: [Delivered], seconds: Double) -> Bool {
        let told = run.ledger.now
        var problems = run.problems
        say(
            "\(rounds) rounds of \(troubles.count) troubles (seed \(seed), mutation \(fault.rawValue)) in \(Int(seconds)) s: scans "
                + "beeped \(told.kept.count), beeps heard \(told.beeps), in the journal \(journal.count)")
        for line in run.table.lines(run.outputs.map(\.name)) { say("  " + line) }
        for output in run.outputs {
            let verdict = DeliveryVerdict(output.record.arrivals, beeped: told.kept, journal: journal)
            let most = run.mostRepeats[output.name] ?? 0
            say(
                "\(output.name): delivered \(verdict.distinct), repeated \(verdict.repeated) (at most \(most)), lost "
                    + "\(verdict.lost.count), invented \(verdict.invented.count), out of order \(verdict.outOfOrder.count)"
            )
            if let problem = verdict.problem(mostRepeats: most) { problems.append("\(output.name): \(problem)") }
            if let line = output.record.unreadable.first { problems.append("\(output.name): not a scan: \(line)") }
        }
        if told.beepsWithoutCommit > 0 { problems.append("\(told.beepsWithoutCommit) beeps for nothing") }
        for problem in problems { say("FAILED  \(problem)") }
        if problems.isEmpty { say("ok    every scan that beeped arrived everywhere, in order, and in time") }
        return problems.isEmpty
    }
}
