import ArgumentParser
import Wire

// Commands without arguments: each is its name.

struct TriggerControl: ControlSubcommand {
    static let configuration = CommandConfiguration(commandName: "trigger", abstract: "Start a session.")
    @OptionGroup var options: ControlOptions
    var command: Command { .trigger }
}

struct ReleaseControl: ControlSubcommand {
    static let configuration = CommandConfiguration(commandName: "release", abstract: "End the session.")
    @OptionGroup var options: ControlOptions
    var command: Command { .release }
}

struct ConfirmControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm", abstract: "Confirm the scan that waits for it.")
    @OptionGroup var options: ControlOptions
    var command: Command { .confirm }
}

struct PauseControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Release the camera and read nothing until `resume`.")
    @OptionGroup var options: ControlOptions
    var command: Command { .pause }
}

struct ResumeControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Take the camera back and go on reading.")
    @OptionGroup var options: ControlOptions
    var command: Command { .resume }
}
