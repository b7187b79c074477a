import ArgumentParser

struct JournalBenchmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journal", abstract: "Commits against a bare SQLite loop, and what a million scans cost.")

    @Option(help: "Scans in the large journal.") var scans = 1_000_000
    @Option(help: "Scans that are committed one by one.") var commits = 2000

    func run() async throws {
        var benchmark = JournalBenchmark()
        benchmark.scans = max(1000, scans)
        benchmark.commits = max(2 * CommitBenchmark.turn, commits)
        throw ExitCode(await benchmark.run())
    }
}

struct CatchUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catch-up", abstract: "An MQTT output that was dead catches up, QoS 1, in order.")

    @Option(help: "Scans that wait.") var scans = 100_000
    @Option(help: "Scans a second that it must reach; for a release build.") var goal = 2000.0

    func run() async throws {
        var benchmark = CatchUpBenchmark()
        benchmark.scans = max(1, scans)
        benchmark.goal = goal
        throw ExitCode(await benchmark.run())
    }
}
