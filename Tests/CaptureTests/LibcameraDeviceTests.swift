import CLibcamera
import Linux
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import Capture

/// The Swift side of libcamera over a scripted table. Serialised: the table's state is global, as a plugin's is.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LibcameraDeviceTests {
    let sink = CollectingSink()
    let notices = Recorder<CaptureNotice>()
    let controller: CaptureController

    init() async {
        StubPlugin.reset()
        controller = CaptureController(
            settings: CaptureSettings(), sink: sink, system: LibcameraSystem(plugin: StubPlugin.plugin()),
            machineBytes: 1_000_000_000, log: { _ in })
        _ = await controller.observe { [notices] in notices.add($0) }
    }

    private func frame(_ sequence: UInt32, _ pixels: UnsafePointer<UInt8>) -> CLibcamera_Frame {
        var frame = CLibcamera_Frame(
            data: pixels, jpeg_bytes: 0, width: 2, height: 2, stride: 4, pixel_stride: 1, sequence: sequence, has: 0,
            timestamp_ns: 0,
            exposure_us: 0, gain: 0, lux: 0, focus_fom: 0, af_state: 0, lens_position: 0)
        frame.timestamp_ns = Instant.now.nanoseconds
        frame.exposure_us = 4000
        frame.lux = 120
        frame.af_state = 2
        frame.has = UInt32(
            CLIBCAMERA_HAS_TIMESTAMP | CLIBCAMERA_HAS_EXPOSURE | CLIBCAMERA_HAS_LUX | CLIBCAMERA_HAS_AF_STATE)
        return frame
    }

    @Test func `the mode that sees everything is chosen, and its frame rate is granted`() async throws {
        await controller.load()
        let granted = try #require(await controller.report().granted)
        #expect(granted.sensorMode == SensorMode(size: FrameSize(width: 2304, height: 1296), bitDepth: 10))
        #expect(granted.fieldOfView == 1)
        #expect(granted.frameRate == 25)
        #expect(granted.minimumGain == 1.12)
        #expect(
            StubPlugin.state.withLock { $0.calls } == [
                "system_start", "camera_open stub0", "configure sensor 1536/10", "configure sensor 2304/10",
            ])
        await controller.shutdown()
        #expect(StubPlugin.state.withLock { $0.calls }.suffix(2) == ["camera_close", "system_stop"])
    }

    @Test func `a camera that takes no sensor mode is used with its own choice, and the log says so`() async throws {
        StubPlugin.state.withLock { $0.rejectsModes = true }
        await controller.start()
        #expect(await controller.state == .running)
        #expect(
            StubPlugin.state.withLock { $0.calls }.filter { $0.hasPrefix("configure") } == [
                "configure sensor 1536/10", "configure sensor 2304/10", "configure sensor 0/0",
            ])
        let skipped = await controller.report().skipped
        #expect(skipped.map(\.setting) == ["capture.sensorMode"])
        #expect(skipped.first?.reason.contains("1536x864, 2304x1296") == true)
        await controller.shutdown()
    }

    @Test func `frames arrive with rows, stride and what the camera tells about them`() async throws {
        await controller.start()
        let pixels: [UInt8] = [1, 2, 0, 0, 3, 4, 0, 0]
        pixels.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            StubPlugin.deliver(frame(40, base))
            StubPlugin.deliver(frame(42, base))
        }
        await notices.wait(for: .cameraIsReady)
        let frames = sink.frames.values
        #expect(frames[0].pixels == [1, 2, 3, 4])
        #expect(frames.map(\.info.sequence) == [0, 2])
        let info = frames[0].info
        #expect(info.exposureMicroseconds == 4000 && info.lux == 120 && info.focusState == .focused)
        #expect(info.gain == nil && info.lensPosition == nil)
        #expect(info.exposedAt <= info.deliveredAt)
        await controller.shutdown()
    }

    @Test func `no frame is passed on after a close`() async {
        await controller.start()
        await controller.suspend()
        let pixels: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        pixels.withUnsafeBufferPointer { $0.baseAddress.map { StubPlugin.deliver(frame(1, $0)) } }
        #expect(sink.frames.values.isEmpty)
        await controller.shutdown()
    }

    @Test func `cancelled requests are a fault, an unplugged camera is disconnected`() async {
        await controller.start()
        StubPlugin.send(CLIBCAMERA_EVENT_FRAME_ERROR, "damaged")
        await notices.wait(for: .fault("damaged"))
        StubPlugin.send(CLIBCAMERA_EVENT_FAULT, "cancelled")
        await notices.wait(for: .interrupted(.unavailable(.streamFailed(detail: "cancelled"))))
        await notices.wait(for: .runStarted(2))
        StubPlugin.send(CLIBCAMERA_EVENT_DISCONNECTED, "gone")
        await notices.wait(for: .runEnded(2, .failed(.unavailable(.disconnected))))
        await controller.shutdown()
    }

    @Test func `a camera that another process holds is in use, and taken when it is announced`() async {
        StubPlugin.state.withLock { $0.openStatus = CLIBCAMERA_BUSY }
        await controller.start()
        #expect(await controller.state == .inUse)
        StubPlugin.state.withLock { $0.openStatus = CLIBCAMERA_OK }
        StubPlugin.announce("stub0")
        await notices.wait(for: .state(.running))
        await controller.shutdown()
    }

    @Test func `an unknown camera id is answered with the existing ones`() async {
        await controller.switchCamera(to: "ov9281")
        await controller.load()
        #expect(await controller.state == .unavailable(.notFound(wanted: "ov9281", found: ["stub0"])))
        await controller.switchCamera(to: "stub")
        #expect(await controller.report().camera?.id == "stub0")
        await controller.shutdown()
    }

    @Test func `controls that the camera lacks are listed by their keys`() async {
        StubPlugin.state.withLock { $0.skipped = UInt32(CLIBCAMERA_AF_RANGE) }
        await controller.start()
        #expect(await controller.report().skipped.map(\.setting) == ["capture.focus.range"])
        #expect(StubPlugin.state.withLock { $0.calls }.last == "start 33333")
        await controller.shutdown()
    }

    @Test func `the inventory describes what a camera offers`() throws {
        let system = LibcameraSystem(plugin: StubPlugin.plugin())
        defer { system.shutdown() }
        let camera = try #require(try system.describe().first)
        #expect(camera.id == "stub0" && camera.location == "back" && camera.rotation == 180)
        #expect(camera.formats.map(\.name) == ["YUV420"] && camera.formats[0].isRange)
        #expect(camera.sensorModes.map(\.size.width) == [1536, 2304])
        #expect(camera.controls == [CameraDescription.Control(name: "AfMode", range: "[0..2]")])
        StubPlugin.state.withLock { $0.openStatus = CLIBCAMERA_BUSY }
        #expect(try system.describe().first?.problem?.contains("in use") == true)
    }

    @Test func `a camera that is unplugged before its first run is reported`() async {
        await controller.load()
        StubPlugin.send(CLIBCAMERA_EVENT_DISCONNECTED, "disconnected")
        await notices.wait(for: .state(.unavailable(.disconnected)))
        await controller.shutdown()
    }

    @Test func `an inventory after the shutdown doesn't wake libcamera again`() async {
        await controller.load()
        await controller.shutdown()
        #expect(await controller.inventory().cameras.isEmpty)
        #expect(StubPlugin.state.withLock { $0.calls }.last == "system_stop")
    }

    @Test func `a dropped system stops libcamera, and its callbacks go nowhere`() throws {
        do {
            let system = LibcameraSystem(plugin: StubPlugin.plugin())
            _ = try system.describe()
        }
        #expect(StubPlugin.state.withLock { $0.calls }.last == "system_stop")
    }

    // MARK: Webcams

    private static let large = FrameSize(width: 1280, height: 720)
    private static let small = FrameSize(width: 640, height: 480)

    private func webcam(_ formats: StubPlugin.WebcamFormat...) { StubPlugin.state.withLock { $0.webcam = formats } }

    private var configured: [String] {
        StubPlugin.state.withLock { $0.calls }.filter { $0.hasPrefix("configure") }
    }

    @Test func `a webcam whose luma gives what is asked for isn't asked for JPEG`() async throws {
        webcam(
            .init(name: "YUYV", size: Self.large, frameRate: 30), .init(name: "MJPEG", size: Self.large, frameRate: 30))
        await controller.load()
        let granted = try #require(await controller.report().granted)
        #expect(granted.format == "YUYV" && granted.frameRate == 30 && granted.insteadOf == nil)
        #expect(configured == ["configure luma"])
        await controller.shutdown()
    }

    @Test(arguments: [
        StubPlugin.WebcamFormat(name: "YUYV", size: small, frameRate: 30),
        StubPlugin.WebcamFormat(name: "YUYV", size: large, frameRate: 10),
    ])
    func `one whose luma is small or slow delivers JPEG`(luma: StubPlugin.WebcamFormat) async throws {
        webcam(luma, .init(name: "MJPEG", size: Self.large, frameRate: 30))
        await controller.load()
        let granted = try #require(await controller.report().granted)
        #expect(granted.format == "MJPEG" && granted.resolution == Self.large)
        #expect(granted.insteadOf == "YUYV \(luma.size), \(luma.frameRate) fps")
        #expect(configured == ["configure luma", "configure jpeg"])
        await controller.shutdown()
    }

    @Test func `one whose JPEG is no better is configured for luma again`() async throws {
        webcam(
            .init(name: "YUYV", size: Self.small, frameRate: 30), .init(name: "MJPEG", size: Self.small, frameRate: 30))
        await controller.load()
        #expect(await controller.report().granted?.format == "YUYV")
        #expect(configured == ["configure luma", "configure jpeg", "configure luma"])
        await controller.shutdown()
    }

    @Test func `one that gives only JPEG is read through the process that decodes it`() async throws {
        webcam(.init(name: "MJPEG", size: WebcamFrames.size, frameRate: 30))
        var settings = CaptureSettings()
        // A debug build on a busy machine takes its time to decode.
        settings.frameTimeout = .seconds(60)
        let controller = CaptureController(
            settings: settings, sink: sink, system: LibcameraSystem(plugin: StubPlugin.plugin()),
            machineBytes: 1_000_000_000, log: { _ in })
        await controller.start()
        // No frame is seen until it is decoded, and decoding is slow: one after another.
        func deliver(_ number: UInt32, _ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                var frame = frame(number, base)
                frame.jpeg_bytes = UInt32(buffer.count)
                StubPlugin.deliver(frame)
            }
        }
        deliver(1, WebcamFrames.withoutTables)
        await sink.frames.wait(count: 1)
        deliver(2, WebcamFrames.cut)
        await turns { await controller.report().framesDamaged > 0 }
        deliver(3, WebcamFrames.whole)
        await sink.frames.wait(count: 2)
        #expect(sink.frames.values.allSatisfy { WebcamFrames.showsChequers($0.pixels) })
        let report = await controller.report()
        #expect(report.framesDelivered == 2 && report.framesDamaged == 1 && report.framesDropped == 1)
        await controller.shutdown()
        #expect(StubPlugin.state.withLock { $0.calls }.suffix(3) == ["stop", "camera_close", "system_stop"])
    }

    @Test func `one that offers neither luma nor JPEG is refused`() async {
        webcam(.init(name: "H264", size: Self.large, frameRate: 30))
        await controller.load()
        guard case .unavailable(.noLumaFormat) = await controller.state else {
            Issue.record("\(await controller.state)")
            return
        }
        await controller.shutdown()
    }

    @Test func `a table of another interface or another libcamera is refused`() {
        var error = CLibcamera_Error()
        var table = StubPlugin.makeTable()
        #expect(CLibcamera_check(&table, &error) == CLIBCAMERA_OK)
        table.abi_version += 1
        #expect(CLibcamera_check(&table, &error) == CLIBCAMERA_WRONG_ABI)
        #expect(error.message.contains("interface 3"))
        table = StubPlugin.makeTable()
        table.built_minor = 4
        #expect(CLibcamera_check(&table, &error) == CLIBCAMERA_WRONG_ABI)
        #expect(error.message.contains("0.4.1") && error.message.contains("v0.7.1+stub"))
    }
}
