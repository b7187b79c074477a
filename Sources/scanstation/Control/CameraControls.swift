import ArgumentParser
import Vocabulary
import Wire

struct FocusControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "focus", abstract: "Focus at a point of the frame, or once where the configuration says.")
    @OptionGroup var options: ControlOptions
    @Argument(help: "0…1 from the left of the upright frame.") var x: Double?
    @Argument(help: "0…1 from its top.") var y: Double?

    func validate() throws {
        guard (x == nil) == (y == nil) else { throw ValidationError("focus takes no point, or X and Y") }
        for value in [x, y].compactMap(\.self) where !(0...1).contains(value) {
            throw ValidationError("\(value) is outside the frame: X and Y are fractions from 0 to 1")
        }
    }

    var command: Command {
        guard let x, let y else { return .focus(nil) }
        return .focus(Point(x: x, y: y))
    }
}

struct CameraControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "camera", abstract: "Switch to another camera (ids: `scanstation cameras`).")
    @OptionGroup var options: ControlOptions
    @Argument(help: "The camera's id, or its beginning.") var id: String
    var command: Command { .camera(id: id) }
}

struct ViewportControl: ControlSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "viewport", abstract: "Read only what lies inside a rectangle of the upright frame.",
        discussion: """
            `scanstation ctl viewport 0.25 0.25 0.5 0.5` reads the middle, `viewport full` the whole frame. `ctl set capture.viewport` \
            takes what the configuration takes, such as "centre 50% 30%".
            """)
    @OptionGroup var options: ControlOptions
    @Argument(
        help: ArgumentHelp("full, or X Y WIDTH HEIGHT, each 0…1.", valueName: "part"), completion: .list(["full"]))
    var part: [String] = []
    @Option(help: "What must lie inside: the code's centre, or the entire code.") var rule: Viewport.Rule = .centre

    func validate() throws { _ = try rect() }

    private func rect() throws -> Rect {
        if part == ["full"] { return .unit }
        let numbers = part.compactMap { Double($0) }
        guard numbers.count == 4, part.count == 4 else {
            throw ValidationError("viewport takes full, or four numbers: X Y WIDTH HEIGHT")
        }
        let rect = Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
        guard rect.x >= 0, rect.y >= 0, rect.width > 0, rect.height > 0, rect.right <= 1.000_001,
            rect.bottom <= 1.000_001
        else { throw ValidationError("the viewport must lie inside the frame: all numbers are fractions from 0 to 1") }
        return rect
    }

    var command: Command { .viewport(Viewport(rect: (try? rect()) ?? .unit, rule: rule)) }
}

extension Viewport.Rule: ExpressibleByArgument {}
