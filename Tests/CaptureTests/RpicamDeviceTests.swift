import Glibc
import Settings
import Synchronization
import TestSupport
import Testing
import Vocabulary

@testable import Capture

/// A camera whose frames another program delivers: a stand-in does what the test says.
@Suite(.timeLimit(.minutes(10))) struct RpicamDeviceTests {
    private static let size = FrameSize(width: 256, height: 128)
    private let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private static var standIn: String {
        let here = #filePath
        return here[..<(here.lastIndex(of: "/") ?? here.endIndex)] + "/Support/rpicam-stand-in"
    }

    private func settings(_ does: String...) -> RpicamSettings {
        RpicamSettings(program: Self.standIn, arguments: does.flatMap { ["--do", $0] })
    }

    /// Nothing ends because the machine is slow.
    private func system(
        _ settings: RpicamSettings, record: Duration = RpicamSystem.Patience().record
    ) -> RpicamSystem {
        RpicamSystem(settings: settings, patience: .init(list: .seconds(3600), start: .seconds(3600), record: record))
    }

    private func device(
        _ settings: RpicamSettings, id: String? = nil, record: Duration = RpicamSystem.Patience().record
    ) async throws -> any CameraDevice {
        let system = system(settings, record: record)
        let device = try await blocking { try system.open(id: id) }
        let granted = try device.configure(CameraRequest(resolution: Self.size, frameRate: 200))
        #expect(granted.resolution == Self.size)
        return device
    }

    @discardableResult
    private func start(
        _ device: any CameraDevice, _ receiver: FrameCollector, _ controls: CameraControls = CameraControls()
    ) async throws -> [SkippedSetting] { try await blocking { try device.start(controls, receiver: receiver) } }

    /// The stand-in's process id and arguments, which it has written before its first frame.
    private func note(ofHelper: Bool = false) throws -> (pid: Int32, arguments: [String]) {
        let file = try #require(fopen("\(folder.path)/note\(ofHelper ? ".helper" : "")", "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
        return (try #require(lines.first.flatMap { Int32($0) }), Array(lines.dropFirst()))
    }

    /// An orphan that was killed may stay as a zombie, where the first process of a container reaps none.
    private func isAlive(_ pid: Int32) -> Bool {
        guard let file = fopen("/proc/\(pid)/stat", "r") else { return false }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, bytes.count, file)
        return !String(decoding: bytes[..<count], as: UTF8.self).contains(") Z ")
    }

    private var noteDo: String { "note=\(folder.path)/note" }

    @Test func `cameras are listed by the program`() async throws {
        let system = system(settings())
        #expect(try await blocking { try system.describe() }.map(\.model) == ["imx708", "ov9281"])
        let second = try await device(settings(), id: "/base/axi/pcie@120000/rp1/i2c@80000")
        #expect(second.identity.model == "ov9281")
        await #expect(throws: CameraFailure.self) { try await device(settings(), id: "/base/elsewhere") }
    }

    @Test func `frames come whole, in order, with the sensor's time and light`() async throws {
        let device = try await device(settings(noteDo), record: .seconds(3600))
        let receiver = FrameCollector()
        try await start(device, receiver)
        let frames = await receiver.frames.wait(count: 20).prefix(20)
        device.stop()
        for (place, frame) in frames.enumerated() {
            #expect(frame.size == Self.size)
            // The stand-in gives every frame one grey level, its number; a frame that was left out is a gap in both.
            #expect(frame.greys == [UInt8(frame.info.sequence % 255)])
            #expect(frame.info.lux == 321.5)
            #expect(frame.info.exposedAt <= frame.info.deliveredAt)
            if place > 0 { #expect(frame.info.exposedAt > frames[place - 1].info.exposedAt) }
        }
        #expect(receiver.events.values.isEmpty)
        let note = try note()
        #expect(kill(note.pid, 0) == -1, "it is gone and reaped")
        #expect(note.arguments.contains("--metadata"))
        let count = receiver.frames.values.count
        #expect(receiver.frames.values.count == count, "nothing after stop")
    }

    @Test func `a program without metadata is run without, and frames count as older than they are`() async throws {
        let device = try await device(settings(noteDo, "refuse=metadata"))
        let receiver = FrameCollector()
        let skipped = try await start(device, receiver)
        #expect(skipped.contains { $0.setting == "--metadata" })
        let frame = try #require(await receiver.frames.wait(count: 1).first)
        device.stop()
        #expect(frame.info.exposedAt.duration(to: frame.info.deliveredAt) >= .milliseconds(15), "three of 5 ms")
        #expect(!(try note().arguments.contains("--metadata")))
    }

    @Test func `one that has metadata but writes nothing is found out and reported once`() async throws {
        let device = try await device(settings("silent"))
        let receiver = FrameCollector()
        try await start(device, receiver)
        await receiver.frames.wait(count: 10)
        device.stop()
        let warnings = receiver.events.values.filter { if case .warning = $0 { true } else { false } }
        #expect(warnings.count == 1)
    }

    @Test(arguments: [
        ("end", "ended"), ("short", "in the middle of a frame (16384 of 49152 bytes)"), ("fail", "the sensor is gone"),
    ])
    func `an end is a fault, with what the program said last`(then: String, words: String) async throws {
        let device = try await device(settings("frames=5", "then=\(then)", "say=a line", "unpaced"))
        let receiver = FrameCollector()
        try await start(device, receiver)
        let events = await receiver.events.wait(count: 1)
        guard case .fault(let text)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(text.contains(words) && text.contains("a line"))
        // It may be started again.
        device.stop()
        try await start(device, receiver)
        device.close()
    }

    @Test func `one that fails before its first frame fails the start, for the reason it gives`() async throws {
        let failures = [
            ("failed to acquire camera /base/x", CameraState.inUse),
            (
                "no cameras available",
                .unavailable(.notFound(wanted: "/base/axi/pcie@120000/rp1/i2c@88000/imx708@1a", found: []))
            ),
        ]
        for (words, state) in failures {
            let device = try await device(settings("say=ERROR: *** \(words) ***", "frames=0", "then=end"))
            do {
                try await start(device, FrameCollector())
                Issue.record("it started")
            } catch let error as CameraFailure {
                #expect(error.state == state)
            }
        }
    }

    @Test func `one that hangs and ignores signals is killed, and so is what it started`() async throws {
        let device = try await device(settings(noteDo, "frames=3", "then=hang", "unwilling", "helper"))
        let receiver = FrameCollector()
        try await start(device, receiver)
        // Not all three: one that is late when the next one waits is left out.
        await receiver.frames.wait(count: 1)
        device.stop()
        let pid = try note().pid
        #expect(kill(pid, 0) == -1)
        let helper = try note(ofHelper: true).pid
        while isAlive(helper) { sched_yield() }
    }

    @Test func `frames of another size than was asked for are a fault, not a rolling picture`() async throws {
        let device = try await device(settings("pad=8192", "unpaced"))
        let receiver = FrameCollector()
        try await start(device, receiver)
        let events = await receiver.events.wait(count: 1)
        guard case .fault(let text)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(text.contains("choose another capture.resolution"))
        device.close()
    }

    @Test func `rubbish on standard error and a flood of frames do no harm`() async throws {
        let device = try await device(settings("say=\u{1B}]0;x\u{07}\u{FFFD}", "unpaced"))
        let receiver = FrameCollector()
        try await start(device, receiver)
        await receiver.frames.wait(count: 300)
        device.close()
        #expect(receiver.events.values.isEmpty)
    }

    @Test func `other settings restart the program, and frames go on being numbered`() async throws {
        let device = try await device(settings(noteDo, "bright=--shutter"))
        let receiver = FrameCollector()
        var controls = CameraControls()
        controls.exposure = .automatic
        try await start(device, receiver, controls)
        await receiver.frames.wait(count: 3)
        let first = try note()
        #expect(first.arguments.contains("sport"))
        controls.exposure = .fixed(.milliseconds(2))
        #expect(try device.apply(controls).isEmpty)
        let frames = await receiver.frames.wait { frames in frames.contains { $0.greys == [255] } }
        let second = try note()
        #expect(second.pid != first.pid)
        #expect(kill(first.pid, 0) == -1)
        #expect(second.arguments.contains("2000"))
        for (a, b) in zip(frames, frames.dropFirst()) { #expect(b.info.sequence > a.info.sequence) }
        // The same once more, and a frame rate, change nothing.
        controls.frameRate = 100
        _ = try device.apply(controls)
        let count = receiver.frames.values.count
        await receiver.frames.wait(count: count + 5)
        #expect(try note().pid == second.pid)
        device.close()
        #expect(receiver.events.values.isEmpty)
    }

    @Test func `a missing program says what to install`() {
        let system = RpicamSystem(settings: RpicamSettings(program: "/nonexistent/rpicam-vid"))
        do throws(CameraFailure) {
            _ = try system.open(id: nil)
            Issue.record("it opened")
        } catch {
            #expect(error.description.contains("/nonexistent/rpicam-vid") && error.description.contains("rpicam-apps"))
        }
    }

    @Test func `a controller goes on after the program ended`() async throws {
        var settings = CaptureSettings()
        settings.resolution = Self.size
        settings.frameRate = 100
        settings.retryFirst = .milliseconds(1)
        settings.retryMax = .milliseconds(2)
        // Caused by the stand-in on any machine: a slow one isn't silent.
        settings.frameTimeout = .seconds(3600)
        let sink = CollectingSink()
        let notices = Recorder<CaptureNotice>()
        let controller = CaptureController(
            settings: settings, sink: sink, system: system(self.settings("frames=5", "then=fail")), log: { _ in })
        _ = await controller.observe { notices.add($0) }
        await controller.start()
        await notices.wait { $0.filter { $0 == .interruptionEnded }.count >= 2 }
        let interruptions = notices.values.compactMap { notice in
            if case .interrupted(let failure) = notice { failure.description } else { nil }
        }
        #expect(interruptions.first?.contains("the sensor is gone") == true)
        #expect(sink.frames.values.count >= 3)
        await controller.shutdown()
    }

    @Test
    func `if no plugin fits, the program steps in and that is logged once; a plugin that fits is preferred again`()
        async throws
    {
        let log = Recorder<String>()
        let libcamera = PluginlessSystem()
        let isInstalled = Mutex(false)
        let system = FallbackSystem(
            libcamera: libcamera, rpicam: system(settings()),
            isInstalled: { isInstalled.withLock(\.self) }, log: { log.add($0.text) })
        #expect(throws: PluginlessSystem.failure) { try system.open(id: nil) }
        #expect(log.values.isEmpty, "there is no such program")
        isInstalled.withLock { $0 = true }
        #expect(try await blocking { try system.open(id: nil).identity.model } == "imx708")
        #expect(try await blocking { try system.describe().count } == 2)
        #expect(log.values.count == 1)
        #expect(log.values.first?.contains("rpicam-vid") == true)
        libcamera.other.withLock { $0 = .inUse(detail: "x") }
        #expect(throws: CameraFailure.inUse(detail: "x")) { try system.open(id: nil) }
    }
}

/// No plugin fits, or what the test says.
private final class PluginlessSystem: CameraSystem {
    static let failure = CameraFailure.unavailable(.noPlugin(libcameraVersion: "0.9", detail: "none"))
    let other = Mutex<CameraFailure?>(nil)

    func open(id: String?) throws(CameraFailure) -> any CameraDevice { throw other.withLock(\.self) ?? Self.failure }
    func describe() throws(CameraFailure) -> [CameraDescription] { throw other.withLock(\.self) ?? Self.failure }
    func onCameraAdded(_ added: @escaping @Sendable (String) -> Void) {}
    func shutdown() {}
}

/// What a camera delivers, with the greys that each frame shows.
private final class FrameCollector: CameraReceiver {
    struct Frame: Sendable {
        var size: FrameSize
        var info: FrameInfo
        var greys: Set<UInt8>
    }

    let frames = Recorder<Frame>()
    let events = Recorder<CameraDeviceEvent>()

    func frame(_ frame: LumaFrame) {
        let bytes = UnsafeRawBufferPointer(start: frame.base, count: frame.rowStride * frame.size.height)
        frames.add(Frame(size: frame.size, info: frame.info, greys: Set(bytes)))
    }

    func frameDamaged() {}

    func event(_ event: CameraDeviceEvent) { events.add(event) }
}
