import ArgumentParser
import ScanCore

/// For mutations: the test has done its work when it finds the loss.
struct MustFail: ParsableArguments {
    @Flag(help: "Succeed if the verdict is bad: for mutations.") var mustFail = false

    /// 0: as it must be; 1: not; 2: not measured.
    func exitCode(_ verdict: StressVerdict) -> ExitCode {
        ExitCode((mustFail ? Self.judge(verdict) : verdict).rawValue)
    }

    /// Says and returns what a mutation's verdict comes to.
    static func judge(_ verdict: StressVerdict) -> StressVerdict {
        switch verdict {
        case .held: say("NOT CAUGHT  the test passed, and it must not")
        case .lost: say("caught, as it must be")
        case .notMeasured: say("NOT CAUGHT  the test couldn't measure, which is no verdict")
        }
        return verdict.ofMutation
    }
}

struct KillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill",
        abstract: "SIGKILLs under continuous scanning: what beeped arrives at MQTT and serial.")

    @Option(help: "SIGKILLs.") var kills = 200
    @Option(help: "Of the random instants.") var seed: UInt64 = 1
    @Option(help: "A fault that is built into the station.") var mutation = Mutation.none
    @Option(help: "Scans under way to the broker at once.") var inFlight = 20
    @Flag(help: "Keep the folder with the journal and the logs.") var keep = false
    @OptionGroup var mustFail: MustFail

    func run() throws {
        var test = KillTest()
        test.kills = max(1, kills)
        test.seed = seed
        test.mutation = mutation
        test.inFlight = max(1, inFlight)
        test.keepsFolder = keep
        throw mustFail.exitCode(test.run())
    }
}

struct DurabilityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "durability", abstract: "Power cuts: what wasn't flushed is gone, what beeped is there.")

    @Option(help: "Power cuts.") var cuts = 40
    @Option(help: "Of the random instants.") var seed: UInt64 = 1
    @Option(help: "SQLite's setting; all but full are mutations.") var synchronous = SynchronousSetting.full
    @Flag(help: "Keep the folder with the journal and the logs.") var keep = false
    @OptionGroup var mustFail: MustFail

    func run() throws {
        var test = DurabilityTest()
        test.cuts = max(1, cuts)
        test.seed = seed
        test.synchronous = synchronous
        test.keepsFolder = keep
        throw mustFail.exitCode(test.run())
    }
}

struct DiskFullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disk-full", abstract: "A full disk, a full journal: nothing that beeped is lost. Needs root.")

    @Option(help: "Scans that the journal holds in the second part.") var maxScans = 300
    @Flag(help: "Keep the folder with the logs.") var keep = false

    func run() throws {
        var test = DiskFullTest()
        test.maxScans = max(10, maxScans)
        test.keepsFolder = keep
        throw ExitCode(test.run().rawValue)
    }
}

struct VanishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vanish",
        abstract:
            "The journal is deleted, moved, damaged, unmounted, its disk pulled out: that is reported, and what beeped arrives. Needs root."
    )

    @Option(help: "Times that it is lost in each way.") var losses = 3
    @Option(help: "Only this way of losing it.") var kind: JournalLoss?
    @Option(help: "Of the random instants.") var seed: UInt64 = 1
    @Flag(help: "A mutation: the station doesn't look at the files that it has open.") var blind = false
    @Flag(help: "Keep the folder with the logs.") var keep = false
    @OptionGroup var mustFail: MustFail

    func run() throws {
        var test = VanishTest()
        test.rounds = max(1, losses)
        test.seed = seed
        test.watchesFiles = !blind
        if let kind { test.kinds = [kind] }
        test.keepsFolder = keep
        throw mustFail.exitCode(test.run())
    }
}

struct DoorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "door",
        abstract: "Hosts that are slow, silent, double and wrong, and kills: the door opens for nobody else.")

    @Option(help: "SIGKILLs.") var kills = 200
    @Option(help: "Lost and delayed answers, at least, on each output.") var troubles = 200
    @Option(help: "Of the random instants.") var seed: UInt64 = 1
    @Option(help: "What counts as owed; all but everyOffer is a mutation.") var answers = OfferLedger.Rule.everyOffer
    @Flag(help: "Keep the folder with the journal and the logs.") var keep = false
    @OptionGroup var mustFail: MustFail

    func run() throws {
        var test = DoorTest()
        test.kills = max(1, kills)
        test.troubles = max(0, troubles)
        test.seed = seed
        test.rule = answers
        test.keepsFolder = keep
        throw mustFail.exitCode(test.run())
    }
}

struct NetworkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Cables, lost packets, addresses and names that change: what beeped arrives, and soon. Needs root.")

    @Option(help: "How often each trouble comes.") var rounds = 2
    @Option(help: "These troubles only: \(NetworkTrouble.allCases.map(\.rawValue).joined(separator: ", ")).")
    var trouble: [NetworkTrouble] = []
    @Option(help: "Of the order, the random instants and lengths.") var seed: UInt64 = 1
    @Option(help: "A fault that is built into the station.") var mutation = NetworkTest.Fault.none
    @Flag(help: "Keep the folder with the journal and the logs.") var keep = false
    @OptionGroup var mustFail: MustFail

    func run() throws {
        var test = NetworkTest()
        test.rounds = max(1, rounds)
        if !trouble.isEmpty { test.troubles = trouble }
        test.seed = seed
        test.fault = mutation
        test.keepsFolder = keep
        throw mustFail.exitCode(test.run())
    }
}

extension NetworkTrouble: ExpressibleByArgument {}
extension NetworkTest.Fault: ExpressibleByArgument {}
