import ArgumentParser

struct StressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stress",
        abstract: "Kills, power cuts, full disks and their mutations; then the journal's figures.")

    @Option(help: "SIGKILLs.") var kills = 200
    @Option(help: "SIGKILLs of each mutation.") var mutantKills = 30
    @Option(help: "Power cuts.") var cuts = 40
    @Option(help: "Scans in the large journal.") var scans = 1_000_000
    @Option(help: "Scans that wait for the broker.") var waiting = 100_000
    @Option(help: "Of the random instants.") var seed: UInt64 = 1
    @Flag(help: "Leave out what is measured in time.") var untimed = false

    func run() async throws {
        say(Machine.description)
        var failed: [String] = []
        func step(_ name: String, mustFail: Bool = false, _ body: () async -> Int32) async {
            say("\n== \(name)")
            let isBad = await body() != 0
            if mustFail { say(isBad ? "caught, as it must be" : "NOT CAUGHT  it passed, and it must not") }
            if isBad != mustFail { failed.append(name) }
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
        if !untimed {
            await step("journal") {
                var benchmark = JournalBenchmark()
                benchmark.scans = max(1000, scans)
                return await benchmark.run()
            }
            await step("catch-up") {
                var benchmark = CatchUpBenchmark()
                benchmark.scans = max(1, waiting)
                return await benchmark.run()
            }
        }
        say(failed.isEmpty ? "\nall as it must be" : "\nFAILED: \(failed.joined(separator: "; "))")
        throw ExitCode(failed.isEmpty ? 0 : 1)
    }
}
