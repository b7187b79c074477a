import Console
import Glibc
import Vocabulary

/// `scanstation-console`: the station's page for a browser. Everything is in the module `Console`.
@main
struct ScanStationConsole {
    static func main() async {
        // People who look at the page, or storm it, aren't as urgent as reading. Before there are other threads: each takes it from this
        // one. As a service it may not, and has its unit's CPUWeight.
        _ = nice(5)
        _exit(
            await ConsoleProgram.run(arguments: Array(CommandLine.arguments.dropFirst()), version: StationVersion.text))
    }
}
