import ArgumentParser
import Foundation

struct UnreadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unread",
        abstract:
            "What is said of codes that live reading doesn't read, for each picture as a camera of 1280×720 sees it.")

    @Argument(help: "Pictures, folders, or a truth.jsonl.") var paths: [String]
    @Option(help: "Every n-th picture.") var step = 1
    @Option(help: "Where to keep what live reading gives, by path: half a second a picture.") var known: String?
    @Option(help: "Only pictures with this number modulo 2: 0 to tune on, 1 to report.") var parity: Int?

    func validate() throws {
        guard parity.map({ $0 == 0 || $0 == 1 }) ?? true else { throw ValidationError("--parity must be 0 or 1") }
        guard step > 0 else { throw ValidationError("--step must be 1 or more") }
    }

    func run() throws {
        var benchmark = try UnreadBenchmark(known: known)
        let files = try paths.flatMap(UnreadBenchmark.pictures)
        for (index, path) in files.enumerated() where index.isMultiple(of: step) {
            guard parity == nil || index / step % 2 == parity else { continue }
            benchmark.look(at: path)
        }
        try benchmark.finish()
    }
}
