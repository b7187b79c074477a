import ScanCore
import Synchronization

/// What one camera offers, for `scanstation cameras`.
public struct CameraDescription: Hashable, Sendable {
    public struct Format: Hashable, Sendable {
        /// libcamera's name: "YUV420", "NV12", "YUYV".
        public var name: String
        /// Ascending; smallest and largest where the camera scales freely.
        public var sizes: [FrameSize]
        public var isRange: Bool
    }

    public struct Control: Hashable, Sendable {
        /// libcamera's name: "AfMode".
        public var name: String
        /// As libcamera prints it: "[0..2]".
        public var range: String
    }

    public var id: String
    /// "" where unknown.
    public var model: String
    /// "front", "back", "external" or "".
    public var location: String
    /// Degrees the sensor is mounted at.
    public var rotation: Int
    public var pixelArray: FrameSize?
    public var formats: [Format] = []
    public var sensorModes: [SensorMode] = []
    public var controls: [Control] = []
    /// Why the lists are empty: in use, disconnected.
    public var problem: String?
}

/// All cameras, and why there are none.
public struct CameraInventoryReport: Hashable, Sendable {
    public var cameras: [CameraDescription] = []
    /// What stands in the way, with the remedy; `nil` when cameras were found.
    public var problem: CameraFailure?
    /// The libcamera that is loaded, or installed without a plugin that fits.
    public var libcameraVersion: String?
    public var pluginPath: String?
    /// The cameras come through `rpicam-vid`: why.
    public var fallback: String?
    /// Nodes that exist but may not be opened, with the remedy; also when some cameras were found.
    public var permissionProblem: String?

    public init() {}
}

/// Lists cameras for `scanstation cameras` and `doctor`. Ask a running station first: it holds its camera.
public enum CameraInventory {
    /// Never throws: the report says why it is empty. Blocks for up to a second. Not while a `CaptureController` with a
    /// libcamera camera lives in this process (libcamera allows one user a process).
    /// - Parameter source: where the station would look.
    public static func list(
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
