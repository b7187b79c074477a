import Settings
import Vocabulary

/// The camera for a desk: the only one, named "replay", shows pictures.
package struct ReplaySystem: CameraSystem {
    package static let cameraID = "replay"

    private let settings: ReplaySettings

    package init(settings: ReplaySettings) { self.settings = settings }

    /// The id doesn't matter: there is only one camera.
    package func open(id: String?) throws(CameraFailure) -> any CameraDevice {
        ReplayDevice(settings: settings, files: try SceneFiles.resolve(settings.paths))
    }

    package func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) {}

    package func shutdown() {}
}
