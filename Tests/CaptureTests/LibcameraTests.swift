import CLibcamera
import Glibc
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import Capture

/// Serialised: libcamera allows one manager per process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LibcameraTests {
    private func failure(_ locator: PluginLocator) -> String {
        do {
            let plugin = try locator.load()
            return "loaded \(plugin.path)"
        } catch {
            guard case .unavailable(.noPlugin(_, let detail)) = error else { return "\(error)" }
            return detail
        }
    }

    @Test func `without a plugin the folders are named`() {
        #expect(failure(PluginLocator(folders: ["/nonexistent"])).contains("no plugin was found in /nonexistent"))
    }

    @Test func `a file that isn't a library is refused with the loader's message`() throws {
        let folder = TemporaryFolder()
        try folder.write("libscanstation-libcamera.so", Array("not a library".utf8))
        let text = failure(PluginLocator(folders: [folder.path]))
        #expect(text.contains("libscanstation-libcamera.so") && text.contains("install"))
    }

    @Test func `a library that isn't a plugin is refused`() throws {
        let folder = TemporaryFolder()
        let known = ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"]
        let library = try #require(known.first { access($0, R_OK) == 0 })
        #expect(symlink(library, "\(folder.path)/libcamera-0.7.so") == 0)
        #expect(failure(PluginLocator(folders: [folder.path])).contains("CLibcameraPlugin_table"))
    }

    @Test func `the newest plugin is tried first`() throws {
        let folder = TemporaryFolder()
        for name in ["libcamera-0.4.so", "libcamera-0.10.so", "libcamera-0.7.so", "libcamera.txt"] {
            try folder.write(name, [])
        }
        let names = PluginLocator(folders: [folder.path]).candidates().compactMap { $0.split(separator: "/").last }
        #expect(names == ["libcamera-0.10.so", "libcamera-0.7.so", "libcamera-0.4.so"])
    }

    @Test func `the installed libcamera is found by its soname`() throws {
        let folder = TemporaryFolder()
        for name in ["libcamera.so.0.4", "libcamera.so.0.4.0", "libcamera-base.so.0.9", "libcamera.so"] {
            try folder.write(name, [])
        }
        let locator = PluginLocator(folders: [], libraryFolders: [folder.path])
        #expect(locator.installedLibcamera() == "0.4.0")
        #expect(PluginLocator(folders: []).installedLibcamera() == nil)
    }

    @Test func `a station without a plugin says which libcamera is installed`() async {
        let system = LibcameraSystem(plugins: PluginLocator(folders: ["/nonexistent"]))
        let controller = CaptureController(
            settings: CaptureSettings(), sink: CollectingSink(), system: system, log: { _ in })
        await controller.load()
        guard case .unavailable(.noPlugin) = await controller.state else {
            Issue.record("\(await controller.state)")
            return
        }
        await controller.shutdown()
    }

    /// The real plugin against the installed libcamera, on a machine with or without cameras.
    @Test(.enabled(if: !PluginLocator().candidates().isEmpty, "the plugin isn't built beside the tests"))
    func `the real plugin loads and lists cameras, or says why there are none`() throws {
        for _ in 0..<2 {
            let report = CameraInventory.list()
            #expect(report.libcameraVersion?.hasPrefix("v0.") == true)
            #expect(report.pluginPath?.hasSuffix(".so") == true)
            if report.cameras.isEmpty {
                let problem = try #require(report.problem)
                switch problem {
                case .permissionDenied, .unavailable(.notFound): break
                default: Issue.record("\(problem)")
                }
            }
        }
    }

    @Test(.enabled(if: !PluginLocator().candidates().isEmpty, "the plugin isn't built beside the tests"))
    func `two users of libcamera in one process are refused, not aborted`() throws {
        let plugin = try PluginLocator().load()
        let table = plugin.table.pointee
        var callbacks = CLibcamera_SystemCallbacks(
            context: nil, added: { _, _ in }, removed: { _, _ in })
        var first: OpaquePointer?
        var second: OpaquePointer?
        var error = CLibcamera_Error()
        #expect(table.system_start(&callbacks, &first, &error) == CLIBCAMERA_OK)
        #expect(table.system_start(&callbacks, &second, &error) == CLIBCAMERA_WRONG_STATE)
        #expect(second == nil && error.message.contains("already"))
        let system = try #require(first)
        var camera: OpaquePointer?
        var cameraCallbacks = CLibcamera_CameraCallbacks(
            context: nil, frame: { _, _ in }, event: { _, _, _ in })
        #expect(table.camera_open(system, "none", &cameraCallbacks, &camera, &error) == CLIBCAMERA_NOT_FOUND)
        table.system_stop(system)
    }

    @Test(arguments: [
        (CLIBCAMERA_BUSY, "inUse"), (CLIBCAMERA_DISCONNECTED, "unavailable"), (CLIBCAMERA_REJECTED, "unavailable"),
        (CLIBCAMERA_NO_LUMA, "unavailable"), (CLIBCAMERA_FAILED, "unavailable"), (CLIBCAMERA_NOT_FOUND, "unavailable"),
    ])
    func `each status becomes a state`(status: CLibcamera_Status, state: String) {
        #expect(LibcameraPlugin.failure(status, "MJPEG H264", camera: "x").state.name == state)
    }

    @Test func `controls become bits, and skipped bits keys`() {
        var controls = CameraControls()
        controls.exposure = .fixed(.microseconds(1500))
        controls.flicker = .hz60
        controls.frameRate = 30
        controls.focus = .manual(lensPosition: 2.5)
        controls.focusWindow = Rect(x: 0.1, y: 0.2, width: 0.3, height: 0.4)
        let plain = controls.plain
        #expect(plain.exposure_us == 1500 && plain.flicker_us == 8333 && plain.frame_duration_us == 33333)
        #expect(plain.lens_position == 2.5 && plain.af_window.height == 0.4)
        let all =
            CLIBCAMERA_EXPOSURE | CLIBCAMERA_FLICKER | CLIBCAMERA_FRAME_DURATION | CLIBCAMERA_AF_MODE
            | CLIBCAMERA_LENS_POSITION | CLIBCAMERA_AF_WINDOW
        #expect(plain.set == UInt32(all))
        #expect(
            CameraControls.names(ofSkipped: UInt32(CLIBCAMERA_ZOOM | CLIBCAMERA_SHARPNESS), by: "x").map(\.setting)
                == ["capture.zoom", "capture.sharpness"])
        #expect(CameraControls().plain.set == 0)
    }
}

@Suite struct SensorModeChoiceTests {
    /// Camera Module 3's modes.
    private let imx708 = [
        SensorMode(size: FrameSize(width: 1536, height: 864), bitDepth: 10),
        SensorMode(size: FrameSize(width: 2304, height: 1296), bitDepth: 10),
        SensorMode(size: FrameSize(width: 4608, height: 2592), bitDepth: 10),
    ]

    @Test func `modes that are large enough are tried from the smallest`() {
        let tried = SensorModeChoice.candidates(imx708, for: FrameSize(width: 1920, height: 1080), wanted: nil)
        #expect(tried.compactMap { $0?.size.width } == [2304, 4608])
    }

    @Test func `the largest is taken if none is large enough, and none if there are none`() {
        let huge = FrameSize(width: 9000, height: 9000)
        #expect(SensorModeChoice.candidates(imx708, for: huge, wanted: nil).map { $0?.size.width } == [4608])
        #expect(SensorModeChoice.candidates([], for: huge, wanted: nil) == [nil])
    }

    @Test func `a wanted mode is the only one and gets a depth`() {
        let wanted = SensorMode(size: FrameSize(width: 1536, height: 864))
        #expect(SensorModeChoice.candidates(imx708, for: FrameSize(width: 1, height: 1), wanted: wanted) == [imx708[0]])
    }

    @Test func `a crop of the middle shows less than the whole`() {
        let array = FrameSize(width: 4608, height: 2592)
        let frame = FrameSize(width: 1280, height: 720)
        #expect(SensorModeChoice.fieldOfView(field: array, array: array, frame: frame) == 1)
        let middle = SensorModeChoice.fieldOfView(
            field: FrameSize(width: 3072, height: 1728), array: array, frame: frame)
        #expect(abs(middle - 4.0 / 9) < 0.01)
        // Cut above and below only: a wide frame loses nothing.
        let wide = SensorModeChoice.fieldOfView(
            field: FrameSize(width: 4056, height: 2282), array: FrameSize(width: 4056, height: 3040), frame: frame)
        #expect(wide > SensorModeChoice.wholeField)
    }
}

@Suite struct CameraNodesTests {
    @Test(arguments: [("video0", true), ("media12", true), ("video", false), ("videodev", false), ("vide0", false)])
    func `only media and video nodes count`(name: String, counts: Bool) {
        #expect(CameraNodes.isCamera(name) == counts)
    }

    @Test func `nodes that may be opened are no problem`() throws {
        let folder = TemporaryFolder()
        try folder.write("video0", [])
        let nodes = CameraNodes.scan(root: folder.path)
        #expect(nodes.nodes.map(\.path) == ["\(folder.path)/video0"])
        #expect(nodes.permissionProblem == nil)
    }

    @Test func `closed nodes name the group to join`() throws {
        let nodes = CameraNodes(nodes: [
            .init(path: "/dev/media0", isAccessible: false, group: "video"),
            .init(path: "/dev/video0", isAccessible: true, group: "video"),
        ])
        let text = try #require(nodes.permissionProblem)
        #expect(text.contains("/dev/media0") && !text.contains("/dev/video0"))
        #expect(text.contains("group \"video\"") && text.contains("usermod -aG video"))
    }

    @Test func `a folder that doesn't exist has none`() { #expect(CameraNodes.scan(root: "/nonexistent").isEmpty) }
}
