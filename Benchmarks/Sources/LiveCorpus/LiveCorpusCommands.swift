import ArgumentParser

struct LiveCorpusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live-corpus",
        abstract: "Show the corpus to a virtual camera, and compare with the decoders' defaults on its newest frame.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "presentation, triggered, turnsOnly, triggeredTurnsOnly, tenLines, still; all by default.")
    var contestant: [LiveContestant] = []
    @Option(help: "How pictures are held: still, hand; both by default.") var hold: [Hold] = []
    @Option(help: "How many times, each with different noise.") var seeds = 1
    @Option(help: "How long each picture is shown.") var seconds = 1.0
    @OptionGroup var machine: VirtualMachineOptions
    @Option(help: "Every n-th picture.") var step = 1
    @Option(help: "Only half of the corpus: a to tune on, b to report.") var half: String?
    @Flag(help: "Have an easy code in view, too, and see that neither is scanned again.") var neighbour = false
    @Option(help: "How many pictures are shown at a time.") var jobs: Int?
    @Flag(help: "List what each contestant read in each picture.") var verbose = false

    func validate() throws {
        guard half.map({ $0 == "a" || $0 == "b" }) ?? true else { throw ValidationError("--half must be a or b") }
        guard seconds > 0, seeds > 0, step > 0 else {
            throw ValidationError("--seconds, --seeds and --step must be greater than 0")
        }
    }

    func run() throws {
        var benchmark = LiveCorpusBenchmark()
        benchmark.corpus = corpus.corpus
        if !contestant.isEmpty { benchmark.contestants = contestant }
        if !hold.isEmpty { benchmark.holds = hold }
        benchmark.seeds = (1...UInt64(seeds)).map(\.self)
        benchmark.seconds = seconds
        benchmark.machine = machine.machine
        benchmark.hasNeighbour = neighbour
        benchmark.step = step
        benchmark.half = half
        if let jobs { benchmark.jobs = max(1, jobs) }
        benchmark.isVerbose = verbose
        throw ExitCode(benchmark.run())
    }
}

struct VirtualMachineOptions: ParsableArguments {
    @Option(help: "How many times slower than this machine to simulate.") var factor = 1.0
    @Option(help: "How many cores to simulate: with one, all takes turns on it.") var cores = 1
    @Option(help: "How many times dearer our calls are, as our readers share the memory.") var crowding = 1.0

    func validate() throws {
        guard factor > 0, cores > 0, crowding > 0 else {
            throw ValidationError("--factor, --cores and --crowding must be greater than 0")
        }
    }

    var machine: VirtualMachine { VirtualMachine(factor: factor, cores: cores, crowding: crowding) }
}

struct PhantomCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phantoms", abstract: "What live reading reads where there is no code: nothing may be.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "How many times each kind is shown, at other sizes and places.") var seeds = 4
    @Option(help: "How long each is shown.") var seconds = 4.0
    @Option(help: "How many are shown at a time.") var jobs: Int?

    func validate() throws {
        guard seconds > 0, seeds > 0 else { throw ValidationError("--seconds and --seeds must be greater than 0") }
    }

    func run() throws {
        var benchmark = PhantomBenchmark()
        benchmark.corpus = corpus.corpus
        benchmark.seeds = UInt64(seeds)
        benchmark.seconds = seconds
        if let jobs { benchmark.jobs = max(1, jobs) }
        throw ExitCode(benchmark.run())
    }
}

extension LiveContestant: ExpressibleByArgument {}
extension Hold: ExpressibleByArgument {}

/// One contestant with one picture: the live corpus benchmark starts this itself.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", shouldDisplay: false)

    @Argument var contestant: LiveContestant
    @Argument var subject: String
    @Argument var hold: Hold
    @Argument var seed: UInt64
    @Argument var frames: Int
    @Argument var factor: Double
    @Argument var cores: Int
    @Argument var crowding: Double
    @Argument var fatalFrames: String

    func run() throws {
        guard let subject = ShownSubject(text: subject) else { throw ValidationError("nothing is called \(subject)") }
        let fatal = Set(fatalFrames.split(separator: ",").compactMap { Int($0) })
        let show = LiveShow(
            contestant: contestant, subject: subject, hold: hold, seed: seed, frames: frames,
            machine: VirtualMachine(factor: factor, cores: cores, crowding: crowding), fatalFrames: fatal)
        throw ExitCode(show.runAndPrint())
    }
}
