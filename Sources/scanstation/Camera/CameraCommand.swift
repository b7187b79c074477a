import ArgumentParser

/// `scanstation camera`: the plugins through which libcamera is used.
struct CameraCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "The plugins for libcamera: which there are, and build one for the libcamera of this machine.",
        discussion: "What cameras there are: `scanstation cameras`.",
        subcommands: [CameraPluginsCommand.self, CameraBuildCommand.self], defaultSubcommand: CameraPluginsCommand.self)
}
