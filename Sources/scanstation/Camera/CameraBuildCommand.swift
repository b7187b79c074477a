import ArgumentParser
import Capture

/// `scanstation camera build`: a plugin for the libcamera of this machine.
struct CameraBuildCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Build the libcamera plugin for the libcamera of this machine.",
        discussion: """
            libcamera changes its interface with every version, and the package has plugins for those it knows. For a newer \
            one: sudo apt install g++ libcamera-dev, then sudo scanstation camera build, then restart the service.
            """)

    @Option(
        help: ArgumentHelp("Where the plugin is put. The station looks in the default folder.", valueName: "folder"))
    var output = PluginBuilder.defaultOutput
    @Option(help: ArgumentHelp("The plugin's source files. Default: the installed ones.", valueName: "folder"))
    var sources: String?
    @Option(help: ArgumentHelp("The C++ compiler.", valueName: "program")) var compiler = "g++"

    func run() async throws {
        var builder = PluginBuilder()
        builder.output = output
        builder.sources = sources
        builder.compiler = compiler
        do {
            let outcome = try builder.build { Console.error($0) }
            Console.print("installed \(outcome.path); it loads with libcamera \(outcome.runningVersion)")
            if output == PluginBuilder.defaultOutput {
                Console.print("a running service uses it after a restart: sudo systemctl restart scanstation")
            } else {
                Console.print("the station looks in \(PluginBuilder.defaultOutput), not in \(output)")
            }
        } catch {
            Console.fail("\(error)")
            throw ExitStatus.of(error)
        }
    }
}

extension ExitStatus {
    static func of(_ error: PluginBuildError) -> ExitCode {
        switch error.kind {
        case .noPermission: noPermission
        case .cannotWrite: cannotCreate
        case .missing, .noSources, .doesNotLoad: unavailable
        case .compilerFailed: nothing
        }
    }
}
