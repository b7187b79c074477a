import ArgumentParser
import Wire

struct AimControl: ControlSubcommand {
    enum Wish: String, CaseIterable, ExpressibleByArgument { case on, off }

    static let configuration = CommandConfiguration(
        commandName: "aim", abstract: "Let the buzzer follow the sharpness, for whoever turns the camera.",
        discussion: """
            For two minutes from the last `ctl aim`, the buzzer ticks: slowly while the picture is blurred, quickly when it is as sharp as it was \
            at best. Silence means that nothing in view can be judged. The figures themselves are on the console's page Aim.
            """)
    @Argument(help: "on or off.") var wish = Wish.on
    @OptionGroup var options: ControlOptions
    var command: Command { .aim(isOn: wish == .on) }
}
