import ArgumentParser

/// `scanstation camera`: the plugins that the station uses libcamera through.
struct CameraCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "List the plugins for libcamera, or build one for this machine's libcamera.",
        discussion: "To list the cameras themselves: `scanstation cameras`.",
        subcommands: [CameraPluginsCommand.self, CameraBuildCommand.self], defaultSubcommand: CameraPluginsCommand.self)
}
