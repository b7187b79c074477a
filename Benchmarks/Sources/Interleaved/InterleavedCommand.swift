import ArgumentParser

struct InterleavedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interleaved", abstract: "Drawn Interleaved 2 of 5, whole and cut, beside the decoders' defaults.")

    @Option(help: "Drawn codes of each kind.") var codes = 100
    @Option(help: "Begin of the random numbers.") var seed: UInt64 = 1
    @Flag(help: "Print what ours reads wrongly where it can be told.") var verbose = false
    @Option(help: "A folder for the pictures of these.") var pictures: String?

    func validate() throws {
        guard codes > 0 else { throw ValidationError("--codes must be greater than 0") }
    }

    func run() throws {
        var benchmark = InterleavedBenchmark()
        benchmark.codes = codes
        benchmark.seed = seed
        benchmark.isVerbose = verbose || pictures != nil
        benchmark.pictureFolder = pictures
        throw ExitCode(benchmark.run())
    }
}
