import ArgumentParser
import Wire

struct AimControl: ControlSubcommand {
    enum Wish: String, CaseIterable, ExpressibleByArgument { case on, off }

    static let configuration = CommandConfiguration(
        commandName: "aim", abstract: "Let the buzzer follow the sharpness, for the person who turns the camera.",
        discussion: """
            For two minutes from the last `ctl aim`, the buzzer ticks: slowly while the picture is blurred, quickly when it is as sharp as a code \
            was at best since then. Silence means that nothing in view can be judged. Codes are read meanwhile, even where reading waits for \
            a trigger, and become no scans. The figures themselves are on the console's page Aim.
            """)
    @Argument(help: "on or off.") var wish = Wish.on
    @OptionGroup var options: ControlOptions
    var command: Command { .aim(wish == .on ? .buzzer : .off) }
}
