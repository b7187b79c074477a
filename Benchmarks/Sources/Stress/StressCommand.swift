import ArgumentParser
import ScanCore

struct StressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stress",
        abstract:
            "kill, door, network, durability, disk-full and vanish, with their mutations; then the figures of journal and catch-up. Needs root.",
        discussion:
            "Exits with 1 when a scan is lost, a figure misses its goal or a mutation isn't caught; else with 2 when something couldn't be measured."
    )

    @Option(help: "SIGKILLs of kill, and of door.") var kills = 200
    @Option(help: "SIGKILLs of each mutation of these.") var mutantKills = 30
    @Option(help: "How often each trouble of the network comes.") var rounds = 2
    @Option(help: "Power cuts.") var cuts = 40
    @Option(help: "Times that the journal is lost in each way.") var losses = 3
    @Option(help: "Scans in the large journal.") var scans = 1_000_000
    @Option(help: "Scans that wait for the broker.") var waiting = 100_000
    @Option(help: "Of the random instants.") var seed: UInt64 = 1
    @Flag(help: "Leave out what is measured in time.") var untimed = false
    @Flag(help: "Leave out the network's troubles that last half a minute, but for one of the mutation's.") var brief =
        false

    func run() async throws {
        say(Machine.description)
        var bad: [(name: String, verdict: StressVerdict)] = []
        func step(_ name: String, mustFail: Bool = false, _ body: () async -> StressVerdict) async {
            say("\n== \(name)")
            let measured = await body()
            let verdict = mustFail ? MustFail.judge(measured) : measured
            if verdict != .held { bad.append((name, verdict)) }
        }
        for mutation in Mutation.allCases {
            var test = KillTest()
            test.kills = max(1, mutation == .none ? kills : mutantKills)
            test.seed = seed
            test.mutation = mutation
            // What is lost stays away; there is no need to wait for it as long as for what is late.
            if mutation != .none { test.patience = 15 }
            let name = mutation == .none ? "kill" : "kill, mutation \(mutation.rawValue)"
            await step(name, mustFail: mutation != .none) { test.run() }
        }
        // `doublesCount` takes more kills than there is time for; AnswerSearchTests find it.
        for rule in [OfferLedger.Rule.everyOffer, .lastOnly] {
            var test = DoorTest()
            test.kills = max(1, rule == .everyOffer ? kills : mutantKills)
            test.troubles = test.kills
            test.seed = seed
            test.rule = rule
            let name = rule == .everyOffer ? "door" : "door, mutation answers=\(rule.rawValue)"
            await step(name, mustFail: rule != .everyOffer) { test.run() }
        }
        for fault in NetworkTest.Fault.allCases {
            var test = NetworkTest()
            test.rounds = max(1, fault == .none ? rounds : brief ? 1 : 3)
            test.seed = seed
            test.fault = fault
            if fault != .none {
                test.troubles = [.silenceLong]
            } else if brief {
                test.troubles = NetworkTrouble.allCases.filter { $0.seconds.upperBound < 30 }
            }
            let name = fault == .none ? "network" : "network, mutation \(fault.rawValue)"
            await step(name, mustFail: fault != .none) { test.run() }
        }
        for setting in [SynchronousSetting.full, .normal, .off] {
            var test = DurabilityTest()
            test.cuts = max(1, setting == .full ? cuts : min(cuts, 5))
            test.seed = seed
            test.synchronous = setting
            let name =
                setting == .full ? "durability" : "durability, mutation synchronous=\(setting.rawValue.uppercased())"
            await step(name, mustFail: setting != .full) { test.run() }
        }
        await step("disk-full") { DiskFullTest().run() }
        for watches in [true, false] {
            var test = VanishTest()
            test.rounds = watches ? max(1, losses) : 1
            test.seed = seed
            test.watchesFiles = watches
            let name = watches ? "vanish" : "vanish, mutation watchesFiles=false"
            await step(name, mustFail: !watches) { test.run() }
        }
        if !untimed {
            await step("journal") {
                var benchmark = JournalBenchmark()
                benchmark.scans = max(1000, scans)
                return StressVerdict(rawValue: await benchmark.run()) ?? .notMeasured
            }
            await step("catch-up") {
                var benchmark = CatchUpBenchmark()
                benchmark.scans = max(1, waiting)
                return StressVerdict(rawValue: await benchmark.run()) ?? .notMeasured
            }
        }
        say("")
        let failed = bad.filter { $0.verdict == .lost }.map(\.name)
        let unmeasured = bad.filter { $0.verdict == .notMeasured }.map(\.name)
        if !failed.isEmpty { say("FAILED: \(failed.joined(separator: "; "))") }
        if !unmeasured.isEmpty { say("NOT MEASURED (its reason stands above): \(unmeasured.joined(separator: "; "))") }
        if bad.isEmpty { say("all as it must be") }
        throw ExitCode(ExitStatus.of(isGood: failed.isEmpty, isMeasured: unmeasured.isEmpty))
    }
}
