import Console
import Glibc

/// `scanstation-console`: the station's page for a browser. Everything is in the module `Console`.
@main
struct ScanStationConsole {
    static func main() async {
        _exit(await ConsoleProgram.run(arguments: Array(CommandLine.arguments.dropFirst()), version: "0.1.0"))
    }
}
