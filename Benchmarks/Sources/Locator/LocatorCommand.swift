import ArgumentParser

struct LocatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locator",
        abstract: "Where the locator finds codes in the corpus, what that costs, and what is read of its regions.")

    @OptionGroup var corpus: CorpusOptions
    @Option(help: "Where to keep what whole frames give: a second or two a picture.") var known =
        ".build/whole-readings.json"
    @Option(help: "Only pictures with this number modulo 2: 0 to tune on, 1 to report.") var parity: Int?
    @Flag(help: "List what was missed, won and misread.") var verbose = false

    func validate() throws {
        guard parity.map({ $0 == 0 || $0 == 1 }) ?? true else { throw ValidationError("--parity must be 0 or 1") }
    }

    func run() throws {
        var benchmark = LocatorBenchmark()
        benchmark.corpus = corpus.corpus
        benchmark.known = known
        benchmark.parity = parity
        benchmark.isVerbose = verbose
        throw ExitCode(benchmark.run())
    }
}
