import Linux
import Settings
import Synchronization
import Vocabulary

/// Options that the program turned out not to know; each is found out only once.
final class UnknownOptions: Sendable {
    private let names = Mutex<Set<String>>([])

    var all: Set<String> { names.withLock(\.self) }

    /// `false`: it was known already.
    func insert(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
}

/// Cameras through `rpicam-vid`, which comes with the installed libcamera and so fits it. The last resort: the picture goes through a pipe,
/// and settings can't be changed while the program runs.
package final class RpicamSystem: CameraSystem {
    struct Patience: Sendable {
        /// Time for the program to load libcamera and ask every camera for its modes.
        var list: Duration = .seconds(20)
        /// From the start of the program to its first frame: a Zero 2 W with a cold card needs seconds.
        var start: Duration = .seconds(8)
        /// How late a frame's record may be; the program writes it right after the frame. Frames wait for it.
        var record: Duration = .milliseconds(20)
    }

    static let programs = ["rpicam-vid", "libcamera-vid"]
    private let settings: RpicamSettings
    private let unknown = UnknownOptions()
    private let patience: Patience

    package convenience init(settings: RpicamSettings = RpicamSettings()) {
        self.init(settings: settings, patience: Patience())
    }

    init(settings: RpicamSettings, patience: Patience) {
        self.settings = settings
        self.patience = patience
    }

    /// Whether this machine has the program.
    package static func isInstalled(_ settings: RpicamSettings = RpicamSettings()) -> Bool {
        ProgramPath.find(names(settings)) != nil
    }

    package func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) {}

    package func shutdown() {}

    package func open(id: String?) throws(CameraFailure) -> any CameraDevice {
        let program = try program()
        let cameras = try list(program)
        let chosen = cameras.first { $0.id == id } ?? cameras.first { id == nil || $0.id.hasPrefix(id ?? "") }
        guard let chosen else { throw .unavailable(.notFound(wanted: id, found: cameras.map(\.id))) }
        return RpicamDevice(
            program: program, camera: chosen, further: settings.arguments, unknown: unknown, patience: patience)
    }

    package func describe() throws(CameraFailure) -> [CameraDescription] { try list(try program()).map(\.description) }

    private static func names(_ settings: RpicamSettings) -> [String] { settings.program.map { [$0] } ?? programs }

    private func program() throws(CameraFailure) -> String {
        let names = Self.names(settings)
        if let path = ProgramPath.find(names) { return path }
        throw .unavailable(
            .cannotBeAcquired(
                detail: "\(names.joined(separator: " and ")) can't be found: sudo apt install rpicam-apps, or set "
                    + "capture.rpicam.program"))
    }

    private func list(_ program: String) throws(CameraFailure) -> [RpicamCamera] {
        let result: ProgramRun.Result
        do throws(Program.NotStarted) {
            result = try ProgramRun.run(program, ["--list-cameras"], limit: patience.list)
        } catch {
            throw .unavailable(.cannotBeAcquired(detail: error.description))
        }
        let cameras = RpicamCamera.parse(result.text)
        guard cameras.isEmpty else { return cameras }
        guard result.end == .exited(0) else {
            var talk = RpicamTalk()
            talk.add(result.text.utf8)
            throw talk.failure("\(program) --list-cameras ended (\(result.end))", camera: "the camera")
        }
        if let problem = CameraNodes.scan().permissionProblem { throw .permissionDenied(detail: problem) }
        throw .unavailable(.notFound(wanted: nil, found: []))
    }
}
