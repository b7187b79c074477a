import ArgumentParser
import Capture
import Station
import Wire

/// `scanstation cameras`: what each camera offers. Asks the running station first, because it holds the camera.
struct CamerasCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cameras", abstract: "List the cameras and what each offers.")

    @OptionGroup var connection: ConnectionOptions
    @Flag(help: "As JSON.") var json = false

    func run() async throws {
        let answer: JSONValue
        if let reply = await connection.askIfRunning(.cameras), reply["ok"]?.boolValue == true {
            answer = reply
            Console.error("(from the running station)")
        } else {
            answer = .object(CameraInventory.list().jsonFields)
        }
        let cameras = answer["cameras"]?.arrayValue ?? []
        if json {
            Console.print(answer.description)
        } else {
            for camera in cameras { Console.print(CameraText.render(camera)) }
            for key in ["problem", "permissionProblem", "fallback"] {
                if let problem = answer[key]?.stringValue { Console.error(TerminalText.escape(problem, limit: 4_000)) }
            }
            if cameras.isEmpty {
                Console.error(
                    "no camera was found; scanstation doctor says more; on a desk: scanstation run --simulate")
            }
        }
        if cameras.isEmpty { throw ExitStatus.nothing }
    }
}
