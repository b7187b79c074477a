import ScanCore

/// The desk's camera: one, named "replay", that shows pictures.
public struct ReplaySystem: CameraSystem {
    public static let cameraID = "replay"

    private let settings: ReplaySettings

    public init(settings: ReplaySettings) { self.settings = settings }

    /// The id doesn't matter: there is one camera.
    public func open(id: String?) throws(CameraFailure) -> any CameraDevice {
        ReplayDevice(settings: settings, files: try SceneFiles.resolve(settings.paths))
    }

    public func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) {}

    public func shutdown() {}
}
