import ArgumentParser
import ScanCore
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
        discussion: "`scanstation ctl viewport 0.25 0.25 0.5 0.5` reads the middle; `viewport 0 0 1 1` the whole frame."
    )
    @OptionGroup var options: ControlOptions
    @Argument(help: "Left edge, 0…1.") var x: Double
    @Argument(help: "Top edge, 0…1.") var y: Double
    @Argument(help: "Width, 0…1.") var width: Double
    @Argument(help: "Height, 0…1.") var height: Double
    @Option(help: "What must lie inside: the code's centre, or the entire code.") var rule: Viewport.Rule = .centre

    func validate() throws {
        guard x >= 0, y >= 0, width > 0, height > 0, x + width <= 1.000_001, y + height <= 1.000_001 else {
            throw ValidationError("the viewport must lie inside the frame: all numbers are fractions from 0 to 1")
        }
    }

    var command: Command { .viewport(Viewport(rect: Rect(x: x, y: y, width: width, height: height), rule: rule)) }
}

extension Viewport.Rule: ExpressibleByArgument {}
