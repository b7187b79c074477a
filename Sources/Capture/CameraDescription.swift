import Settings
import Synchronization
import Vocabulary

/// What one camera offers, for `scanstation cameras`.
package struct CameraDescription: Hashable, Sendable {
    package struct Format: Hashable, Sendable {
        /// libcamera's name: "YUV420", "NV12", "YUYV".
        package var name: String
        /// Ascending; only the smallest and the largest if the camera scales freely.
        package var sizes: [FrameSize]
        package var isRange: Bool
    }

    package struct Control: Hashable, Sendable {
        /// libcamera's name: "AfMode".
        package var name: String
        /// As libcamera prints it: "[0..2]".
        package var range: String
    }

    package var id: String
    /// "" where unknown.
    package var model: String
    /// "front", "back", "external" or "".
    package var location: String
    /// Degrees the sensor is mounted at.
    package var rotation: Int
    package var pixelArray: FrameSize?
    package var formats: [Format] = []
    package var sensorModes: [SensorMode] = []
    package var controls: [Control] = []
    /// Why the lists are empty: in use, disconnected.
    package var problem: String?
}

/// All cameras, and why there are none.
package struct CameraInventoryReport: Hashable, Sendable {
    package var cameras: [CameraDescription] = []
    /// What is in the way, with the remedy; `nil` when cameras were found.
    package var problem: CameraFailure?
    /// The libcamera that is loaded, or installed without a plugin that fits.
    package var libcameraVersion: String?
    package var pluginPath: String?
    /// Why the cameras come through `rpicam-vid`.
    package var fallback: String?
    /// Nodes that exist but may not be opened, with the remedy; set even if some cameras were found.
    package var permissionProblem: String?

    package init() {}
}

/// Lists cameras for `scanstation cameras` and `doctor`. Ask a running station first: it holds its camera.
package enum CameraInventory {
    /// Never throws: the report says why it is empty. Blocks for up to a second. Don't call it while this process has a `CaptureController`
    /// with a libcamera camera (libcamera allows one user per process).
    /// - Parameter source: where the station would look.
    package static func list(
        source: CaptureSettings.Source = .automatic, plugins: PluginLocator = PluginLocator()
    ) -> CameraInventoryReport {
        var report = CameraInventoryReport()
        report.permissionProblem = CameraNodes.scan().permissionProblem
        let fallback = Mutex<String?>(nil)
        let system: any CameraSystem
        if case .rpicam(let settings) = source {
            system = RpicamSystem(settings: settings)
        } else {
            system = FallbackSystem(libcamera: LibcameraSystem(plugins: plugins)) { line in
                fallback.withLock { $0 = line.text }
            }
        }
        defer { system.shutdown() }
        do throws(CameraFailure) {
            report.cameras = try system.describe()
        } catch {
            report.problem = error
        }
        report.fallback = fallback.withLock(\.self)
        let plugin = plugins.loaded
        report.libcameraVersion = plugin?.runningVersion ?? plugins.installedLibcamera()
        report.pluginPath = plugin?.path
        return report
    }
}
