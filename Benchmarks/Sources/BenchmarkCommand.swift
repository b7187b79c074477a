import ArgumentParser
import Foundation

/// Measures reading, the station and its journal, and tries to make it lose scans. Figures are ratios to a peer or a limit in the same run.
/// Use a release build.
@main
struct BenchmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scanstation-bench",
        abstract:
            "Measures reading, the station and its journal. Exits with 1 when a figure misses its goal or a scan is lost, with 2 when something couldn't be measured.",
        subcommands: [
            CorpusCommand.self, DrawCorpusCommand.self, ThroughScanCommand.self, LiveCommand.self,
            LiveCorpusCommand.self, PhantomCommand.self,
            LocatorCommand.self,
            SoftReaderCommand.self, QRReaderCommand.self, InterleavedCommand.self, UnreadCommand.self,
            StationCommand.self,
            RobustnessCommand.self, AllCommand.self,
            StressCommand.self, KillCommand.self, DoorCommand.self, NetworkCommand.self, DurabilityCommand.self,
            DiskFullCommand.self, VanishCommand.self,
            JournalBenchmarkCommand.self, CatchUpCommand.self,
            ReadCommand.self, TimeCommand.self, ShowCommand.self, StressStationCommand.self,
        ])
}

struct CorpusOptions: ParsableArguments {
    @Option(help: "The picture corpus.") var corpus = "../shared/corpus"
}

struct CorpusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "corpus", abstract: "What is read of the corpus, compared with the decoders' defaults.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "Our counts by group.") var expected = "Benchmarks/corpus-expected.tsv"
    @Flag(help: "Write the counts again instead of comparing ours with them.") var update = false
    @Flag(help: "List what was missed and misread.") var verbose = false
    @Option(help: "Pictures read at a time.") var jobs: Int?

    func run() throws {
        var benchmark = CorpusBenchmark()
        benchmark.corpus = corpus.corpus
        benchmark.expectedPath = expected
        benchmark.updates = update
        benchmark.isVerbose = verbose
        if let jobs { benchmark.jobs = max(1, jobs) }
        throw ExitCode(benchmark.run())
    }
}

struct ThroughScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "through-scan", abstract: "The corpus through `scanstation scan`, against our expected counts.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "Switches on what the benchmark reads with.") var config = "Benchmarks/corpus.yaml"
    @Option(help: "Our counts by group.") var expected = "Benchmarks/corpus-expected.tsv"
    @Option(help: "Pictures read at a time.") var jobs: Int?
    @Option(help: "A file with what scan has said already, of the corpus at /corpus.") var lines: String?
    @Flag(help: "Write the counts again instead of holding scan's against them.") var update = false

    func run() throws {
        var benchmark = ThroughScan()
        benchmark.linesPath = lines
        benchmark.updates = update
        benchmark.corpus = corpus.corpus
        benchmark.configuration = config
        benchmark.expectedPath = expected
        if let jobs { benchmark.jobs = max(1, jobs) }
        throw ExitCode(benchmark.run())
    }
}

struct LiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "What live frames cost, compared with ZXing's defaults on the same frames.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "Repetitions; the median counts.") var turns = 15

    func run() async throws {
        var benchmark = LiveBenchmark()
        benchmark.corpus = corpus.corpus
        benchmark.turns = max(1, turns)
        throw ExitCode(await benchmark.run())
    }
}

struct StationBenchmarkOptions: ParsableArguments {
    @Option(help: "Pictures that the station replays.") var scene = "Sources/Capture/Scene"
    @Option(help: "Frames of the memory run.") var frames = 100_000
    @Option(help: "Seconds of the latency run.") var seconds = 30

    var benchmark: StationBenchmark {
        var benchmark = StationBenchmark()
        benchmark.scene = URL(fileURLWithPath: scene).path
        benchmark.frames = frames
        benchmark.seconds = seconds
        return benchmark
    }
}

struct StationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "station", abstract: "Start, latency, idle load and memory of the whole station.")

    @OptionGroup var station: StationBenchmarkOptions

    func run() async throws { throw ExitCode(await station.benchmark.run()) }
}

struct RobustnessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "robustness", abstract: "A station whose scene is the corpus, then a thousand damaged pictures.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "Damaged copies.") var copies = 1000

    func validate() throws {
        guard copies >= 0 else { throw ValidationError("--copies must not be negative") }
    }

    func run() throws {
        var benchmark = RobustnessBenchmark()
        benchmark.corpus = corpus.corpus
        benchmark.copies = copies
        throw ExitCode(benchmark.run())
    }
}

struct AllCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "all",
        abstract:
            "The quick ones, with the machine: live, station, journal, catch-up, robustness, corpus, through-scan, a sample of live-corpus, phantoms. Exits with 2 when something couldn't be measured.",
        discussion:
            "It leaves out the whole of live-corpus, locator, soft-reader, interleaved, unread, and what tries to lose scans: that is stress."
    )

    @OptionGroup var corpus: CorpusOptions
    @OptionGroup var station: StationBenchmarkOptions

    func run() async throws {
        print(Machine.description)
        print("\n== live")
        var live = LiveBenchmark()
        live.corpus = corpus.corpus
        var statuses = [await live.run()]
        print("\n== station")
        statuses.append(await station.benchmark.run())
        print("\n== journal")
        var journal = JournalBenchmark()
        journal.scans = 100_000
        statuses.append(await journal.run())
        print("\n== catch-up")
        var catchUp = CatchUpBenchmark()
        catchUp.scans = 20_000
        statuses.append(await catchUp.run())
        print("\n== robustness")
        var robustness = RobustnessBenchmark()
        robustness.corpus = corpus.corpus
        statuses.append(robustness.run())
        print("\n== corpus")
        var pictures = CorpusBenchmark()
        pictures.corpus = corpus.corpus
        statuses.append(pictures.run())
        print("\n== corpus through scan")
        var through = ThroughScan()
        through.corpus = corpus.corpus
        statuses.append(through.run())
        print("\n== live-corpus, every tenth picture of half b")
        var shown = LiveCorpusBenchmark()
        shown.corpus = corpus.corpus
        shown.contestants = LiveContestant.held + [.tenLines]
        shown.half = "b"
        shown.step = 10
        statuses.append(shown.run())
        print("\n== phantoms")
        var phantoms = PhantomBenchmark()
        phantoms.corpus = corpus.corpus
        phantoms.seeds = 1
        phantoms.seconds = 1
        statuses.append(phantoms.run())
        throw ExitCode(ExitStatus.worst(statuses))
    }
}

/// One contestant on one picture. The corpus benchmark starts this itself, because decoders may abort.
struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "read", shouldDisplay: false)

    @Argument var contestant: String
    @Argument var path: String
    @Argument var firstPass: Int

    func run() throws {
        guard let contestant = Contestant(rawValue: contestant) else { throw ExitCode(64) }
        throw ExitCode(contestant.readAndPrint(path: path, startingAtPass: firstPass))
    }
}

/// One measurement: what the live benchmark starts for itself.
struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "time", shouldDisplay: false)

    @Argument var what: String
    @Argument var path: String
    @Argument var repetitions: Int

    func run() throws {
        throw ExitCode(LiveTiming(what: what, path: path, repetitions: repetitions).measureAndPrint())
    }
}
