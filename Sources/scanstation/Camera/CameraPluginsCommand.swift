import ArgumentParser
import Capture
import Wire

/// `scanstation camera plugins`: lists the plugin files and says which one fits the installed libcamera.
struct CameraPluginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "List the libcamera plugins and which of them fits. Exit 1 when none does.")

    @Option(help: ArgumentHelp("Look in this folder only.", valueName: "folder")) var folder: String?
    @Flag(help: "As JSON.") var json = false

    func run() async throws {
        let locator = folder.map { PluginLocator(folder: $0) } ?? PluginLocator()
        let installed = locator.installedLibcamera()
        let plugins = locator.survey()
        if json {
            Console.print(report(installed, plugins).description)
        } else {
            Console.print("libcamera  \(installed.map { TerminalText.escape($0) } ?? "not installed")")
            for plugin in plugins {
                let verdict = plugin.libcamera.map { "fits libcamera \($0)" } ?? plugin.problem ?? ""
                Console.print("\(plugin.path)\n  \(TerminalText.escape(verdict, limit: 4_000))")
            }
            if plugins.isEmpty { Console.print("no plugin") }
        }
        if !plugins.contains(where: { $0.libcamera != nil }) {
            Console.error("no plugin fits: sudo scanstation camera build makes one for the libcamera of this machine")
            throw ExitStatus.nothing
        }
    }

    private func report(_ installed: String?, _ plugins: [PluginFinding]) -> JSONValue {
        .object([
            "libcamera": installed.map(JSONValue.string) ?? .null,
            "plugins": .array(
                plugins.map { plugin in
                    var fields: [String: JSONValue] = [
                        "path": .string(plugin.path), "fits": .bool(plugin.libcamera != nil),
                    ]
                    if let version = plugin.libcamera { fields["libcamera"] = .string(version) }
                    if let problem = plugin.problem { fields["problem"] = .string(problem) }
                    return .object(fields)
                }),
        ])
    }
}
