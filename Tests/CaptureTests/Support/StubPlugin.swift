import CLibcamera
import Synchronization
import Vocabulary

@testable import Capture

/// A plugin made of Swift functions: one camera, whose callbacks the test calls. One at a time (its tests are serialised).
enum StubPlugin {
    struct State {
        var cameras = ["stub0"]
        var openStatus = CLIBCAMERA_OK
        var startStatus = CLIBCAMERA_OK
        var calls: [String] = []
        var skipped: UInt32 = 0
        /// Any mode of the sensor makes the configuration invalid.
        var rejectsModes = false
        /// What a webcam offers: a size and a rate of each; no modes of a sensor.
        var webcam: [WebcamFormat] = []
    }

    struct WebcamFormat {
        var name: String
        var size: FrameSize
        var frameRate: Int64

        var isJPEG: Bool { name == "MJPEG" }
    }

    static let state = Mutex(State())
    private static let callbacks = Mutex<SendableCallbacks?>(nil)
    private static let systemCallbacks = Mutex<SendableSystemCallbacks?>(nil)

    private struct SendableCallbacks: @unchecked Sendable { var value: CLibcamera_CameraCallbacks }
    private struct SendableSystemCallbacks: @unchecked Sendable { var value: CLibcamera_SystemCallbacks }

    static func reset() { state.withLock { $0 = State() } }

    static func note(_ call: String) { state.withLock { $0.calls.append(call) } }

    /// The callbacks, as libcamera's thread would make them.
    static func deliver(_ frame: CLibcamera_Frame) {
        guard let callbacks = callbacks.withLock({ $0 }) else { return }
        withUnsafePointer(to: frame) { callbacks.value.frame(callbacks.value.context, $0) }
    }

    static func send(_ event: CLibcamera_CameraEvent, _ text: String) {
        guard let callbacks = callbacks.withLock({ $0 }) else { return }
        callbacks.value.event(callbacks.value.context, event, text)
    }

    static func announce(_ id: String) {
        guard let callbacks = systemCallbacks.withLock({ $0 }) else { return }
        callbacks.value.added(callbacks.value.context, id)
    }

    /// Some address that is not nil; nobody looks behind it.
    private static var handle: OpaquePointer? { OpaquePointer(bitPattern: 16) }

    static func makeTable() -> CLibcamera_Table {
        CLibcamera_Table(
            abi_version: CLIBCAMERA_ABI_VERSION, table_size: UInt32(MemoryLayout<CLibcamera_Table>.size),
            built_major: 0, built_minor: 7, built_patch: 1,
            running_version: { stubVersion },
            system_start: { callbacks, system, _ in
                StubPlugin.note("system_start")
                StubPlugin.systemCallbacks.withLock { $0 = SendableSystemCallbacks(value: callbacks.pointee) }
                system.pointee = StubPlugin.handle
                return CLIBCAMERA_OK
            },
            system_stop: { _ in StubPlugin.note("system_stop") },
            list: { _, context, visit, _ in
                for id in StubPlugin.state.withLock({ $0.cameras }) {
                    withCStrings(id, "stub", "back") { id, model, location in
                        var info = CLibcamera_Info(
                            id: id, model: model, location: location, rotation: 180,
                            pixel_array: CLibcamera_Size(width: 4608, height: 2592))
                        visit(context, &info)
                    }
                }
                return CLIBCAMERA_OK
            },
            camera_open: { _, id, callbacks, camera, _ in
                StubPlugin.note("camera_open \(String(cString: id))")
                let status = StubPlugin.state.withLock { $0.openStatus }
                guard status == CLIBCAMERA_OK else { return status }
                StubPlugin.callbacks.withLock { $0 = SendableCallbacks(value: callbacks.pointee) }
                camera.pointee = StubPlugin.handle
                return CLIBCAMERA_OK
            },
            camera_close: { _ in
                StubPlugin.note("camera_close")
                StubPlugin.callbacks.withLock { $0 = nil }
            },
            camera_describe: { _, visitor, _ in
                let visitor = visitor.pointee
                let webcam = StubPlugin.state.withLock { $0.webcam }
                for format in webcam {
                    visitor.format?(
                        visitor.context, format.name, CLibcamera_Size(format.size), CLibcamera_Size(format.size), 0)
                }
                guard webcam.isEmpty else { return CLIBCAMERA_OK }
                visitor.format?(
                    visitor.context, "YUV420", CLibcamera_Size(width: 32, height: 32),
                    CLibcamera_Size(width: 4608, height: 2592), 1)
                // The first mode sees the middle only, the second everything.
                visitor.sensor_mode?(visitor.context, "SRGGB10_CSI2P", CLibcamera_Size(width: 1536, height: 864), 10)
                visitor.sensor_mode?(visitor.context, "SRGGB10_CSI2P", CLibcamera_Size(width: 2304, height: 1296), 10)
                visitor.control?(visitor.context, "AfMode", "[0..2]")
                return CLIBCAMERA_OK
            },
            camera_configure: { _, configuration, granted, _ in
                let wanted = configuration.pointee
                if let status = StubPlugin.configureWebcam(wanted, granted) { return status }
                StubPlugin.note("configure sensor \(wanted.sensor_size.width)/\(wanted.sensor_bit_depth)")
                if wanted.sensor_size.width > 0, StubPlugin.state.withLock({ $0.rejectsModes }) {
                    return CLIBCAMERA_REJECTED
                }
                var given = CLibcamera_Granted()
                given.size = wanted.size
                given.stride = wanted.size.width
                given.pixel_stride = 1
                given.buffers = 4
                given.buffer_bytes = wanted.size.width * wanted.size.height * 3 / 2
                given.sensor_size = wanted.sensor_size
                given.sensor_bit_depth = wanted.sensor_bit_depth
                given.pixel_array = CLibcamera_Size(width: 4608, height: 2592)
                let isMiddle = wanted.sensor_size.width == 1536
                given.field = CLibcamera_Rect(
                    x: 0, y: 0, width: isMiddle ? 3072 : 4608, height: isMiddle ? 1728 : 2592)
                given.shortest_frame_us = 40_000
                given.lowest_gain = 1.12
                granted.pointee = given
                return CLIBCAMERA_OK
            },
            camera_start: { _, controls, skipped, error in
                StubPlugin.note("start \(controls.pointee.frame_duration_us)")
                skipped.pointee = StubPlugin.state.withLock { $0.skipped }
                return StubPlugin.state.withLock { $0.startStatus }
            },
            camera_stop: { _, _ in
                StubPlugin.note("stop")
                return CLIBCAMERA_OK
            },
            camera_set_controls: { _, controls, skipped, _ in
                StubPlugin.note("set \(controls.pointee.set)")
                skipped.pointee = 0
                return CLIBCAMERA_OK
            })
    }

    /// `nil`: it isn't one.
    private static func configureWebcam(
        _ wanted: CLibcamera_Configuration, _ granted: UnsafeMutablePointer<CLibcamera_Granted>
    ) -> CLibcamera_Status? {
        let formats = state.withLock { $0.webcam }
        guard !formats.isEmpty else { return nil }
        let wantsJPEG = wanted.format == CLIBCAMERA_FORMAT_JPEG
        note("configure \(wantsJPEG ? "jpeg" : "luma")")
        let readable = formats.filter { $0.name != "H264" }
        guard let format = readable.first(where: { $0.isJPEG == wantsJPEG }) else { return CLIBCAMERA_NO_LUMA }
        var given = CLibcamera_Granted()
        given.size = CLibcamera_Size(format.size)
        given.stride = wantsJPEG ? 0 : 2 * given.size.width
        given.pixel_stride = wantsJPEG ? 0 : 2
        given.buffers = 4
        given.buffer_bytes = 2 * given.size.width * given.size.height
        given.shortest_frame_us = 1_000_000 / format.frameRate
        withUnsafeMutableBytes(of: &given.format) { $0.copyBytes(from: format.name.utf8) }
        granted.pointee = given
        return CLIBCAMERA_OK
    }

    static func plugin() -> LibcameraPlugin { LibcameraPlugin(table: table, path: "stub") }

    /// A plugin's table lives as long as the process.
    nonisolated(unsafe) private static let table: UnsafePointer<CLibcamera_Table> = {
        let table = UnsafeMutablePointer<CLibcamera_Table>.allocate(capacity: 1)
        table.initialize(to: makeTable())
        return UnsafePointer(table)
    }()
}

/// A C string that lives as long as the process.
nonisolated(unsafe) private let stubVersion: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 16)
    for (index, character) in "v0.7.1+stub".utf8CString.enumerated() { text[index] = character }
    return UnsafePointer(text)
}()

private func withCStrings(
    _ a: String, _ b: String, _ c: String,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void
) {
    a.withCString { a in b.withCString { b in c.withCString { c in body(a, b, c) } } }
}
