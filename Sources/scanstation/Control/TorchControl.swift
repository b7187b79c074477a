import ArgumentParser
import Settings
import Wire

struct TorchControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "torch",
        abstract: "Set the torch: off, on, auto (by the scene's light) or session (while reading).")
    @OptionGroup var options: ControlOptions
    @Argument(help: "off, on, auto or session.") var mode: TorchMode
    var command: Command { .torch(mode) }
}

extension TorchMode: ExpressibleByArgument {}
