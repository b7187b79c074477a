import Glibc
import Settings
import TestSupport
import Testing
import Vocabulary

@testable import Capture
@testable import Reading

@Suite(.timeLimit(.minutes(10))) struct ReplayTests {
    /// Takes what a device delivers.
    final class Receiver: CameraReceiver {
        let sink = CollectingSink()
        let events = Recorder<CameraDeviceEvent>()

        func frame(_ frame: LumaFrame) { sink.receive(frame) }
        func frameDamaged() {}
        func event(_ event: CameraDeviceEvent) { events.add(event) }
    }

    private static func unpaced(_ paths: [String], loops: Bool = false, framesPerPicture: Int = 1) -> ReplaySettings {
        var settings = ReplaySettings(paths: paths)
        settings.isUnpaced = true
        settings.loops = loops
        settings.framesPerPicture = framesPerPicture
        return settings
    }

    /// All frames of a scene that is shown once.
    private static func play(
        _ settings: ReplaySettings, size: FrameSize = FrameSize(width: 16, height: 8)
    ) async throws -> (frames: [CollectingSink.Frame], events: [CameraDeviceEvent]) {
        let device = try ReplaySystem(settings: settings).open(id: nil)
        _ = try device.configure(CameraRequest(resolution: size, frameRate: 30))
        let receiver = Receiver()
        _ = try device.start(CameraControls(), receiver: receiver)
        let events = await receiver.events.wait { events in
            events.contains { event in
                switch event {
                case .sceneEnded, .fault: true
                default: false
                }
            }
        }
        device.close()
        return (receiver.sink.frames.values, events)
    }

    @Test func `shows each picture of a folder in the order of names, for as many frames as asked`() async throws {
        let folder = TemporaryFolder()
        try folder.writePGM("b.pgm", width: 16, height: 8, grey: 20)
        try folder.writePGM("a.pgm", width: 16, height: 8, grey: 10)
        try folder.write("c.png", smallPNG)
        try folder.write("notes.txt", [1])
        let (frames, events) = try await Self.play(Self.unpaced([folder.path], framesPerPicture: 2))
        #expect(frames.map(\.info.label) == ["a.pgm", "a.pgm", "b.pgm", "b.pgm", "c.png", "c.png"])
        #expect(frames.map(\.info.sequence) == [0, 1, 2, 3, 4, 5])
        #expect(frames[0].pixels == [UInt8](repeating: 10, count: 128))
        #expect(events == [.sceneEnded])
        for pair in zip(frames, frames.dropFirst()) { #expect(pair.0.info.exposedAt <= pair.1.info.exposedAt) }
    }

    @Test func `takes files and globs in the order given`() async throws {
        let folder = TemporaryFolder()
        for name in ["1.pgm", "2.pgm", "3.PGM", "4.txt"] { try folder.writePGM(name, width: 2, height: 2, grey: 1) }
        let (frames, _) = try await Self.play(Self.unpaced(["\(folder.path)/3.PGM", "\(folder.path)/[124].*"]))
        #expect(frames.map(\.info.label) == ["3.PGM", "1.pgm", "2.pgm"])
    }

    @Test func `a damaged picture is reported once and skipped`() async throws {
        let folder = TemporaryFolder()
        try folder.writePGM("a.pgm", width: 2, height: 2, grey: 1)
        let bad = try folder.write("b.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0])
        try folder.writePGM("c.pgm", width: 2, height: 2, grey: 1)
        let (frames, events) = try await Self.play(Self.unpaced([folder.path]))
        #expect(frames.map(\.info.label) == ["a.pgm", "c.pgm"])
        guard case .warning(let text) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(text.hasPrefix(bad))
        #expect(events.count == 2, "\(events)")
    }

    @Test func `a scene without a readable picture fails the start`() throws {
        let folder = TemporaryFolder()
        try folder.write("a.png", Array("no picture".utf8))
        let device = try ReplaySystem(settings: ReplaySettings(paths: [folder.path])).open(id: nil)
        _ = try device.configure(CameraRequest(resolution: FrameSize(width: 8, height: 8), frameRate: 30))
        #expect(throws: CameraFailure.self) { try device.start(CameraControls(), receiver: Receiver()) }
        device.close()
    }

    @Test(arguments: ["/nonexistent", "/nonexistent/*.jpg"])
    func `a path without pictures says so`(path: String) {
        let error = #expect(throws: CameraFailure.self) {
            try ReplaySystem(settings: ReplaySettings(paths: [path])).open(id: nil)
        }
        #expect(error?.description.contains(path) == true)
    }

    @Test func `without a built-in scene the folders that were searched are named`() {
        let error = #expect(throws: CameraFailure.self) { try SceneFiles.resolve([], builtIn: ["/nonexistent/scene"]) }
        #expect(error?.description.contains("/nonexistent/scene") == true)
        #expect(SceneFiles.builtInFolders(executable: "/opt/x/bin").contains("/usr/share/scanstation/scene"))
    }

    @Test func `the built-in scene is the first folder with pictures`() throws {
        let folder = TemporaryFolder()
        let picture = try folder.write("01.png", smallPNG)
        #expect(try SceneFiles.resolve([], builtIn: ["/nonexistent", folder.path]) == [FileName(picture)])
    }

    @Test func `a looping scene goes on and a stop ends it`() async throws {
        let folder = TemporaryFolder()
        try folder.writePGM("a.pgm", width: 2, height: 2, grey: 1)
        let device = try ReplaySystem(settings: Self.unpaced([folder.path], loops: true)).open(id: nil)
        _ = try device.configure(CameraRequest(resolution: FrameSize(width: 8, height: 8), frameRate: 30))
        let receiver = Receiver()
        for _ in 0..<3 {
            _ = try device.start(CameraControls(), receiver: receiver)
            let before = receiver.sink.frames.values.count
            await receiver.sink.frames.wait(count: before + 20)
            device.stop()
            let stopped = receiver.sink.frames.values.count
            #expect(receiver.sink.frames.values.count == stopped)
        }
        device.close()
    }

    @Test func `a slow frame rate doesn't delay a stop or a faster rate`() async throws {
        let folder = TemporaryFolder()
        try folder.writePGM("a.pgm", width: 2, height: 2, grey: 1)
        let device = try ReplaySystem(settings: ReplaySettings(paths: [folder.path])).open(id: nil)
        _ = try device.configure(CameraRequest(resolution: FrameSize(width: 8, height: 8), frameRate: 0.1))
        let receiver = Receiver()
        _ = try device.start(CameraControls(), receiver: receiver)
        await receiver.sink.frames.wait(count: 1)
        var faster = CameraControls()
        faster.frameRate = 200
        _ = try device.apply(faster)
        await receiver.sink.frames.wait(count: 3)
        faster.frameRate = 0.1
        _ = try device.apply(faster)
        device.close()
    }

    @Test func `a picture that is too large is scaled down and one that is too small is centred`() async throws {
        let folder = TemporaryFolder()
        // Left half black, right half white, twice the frame's width.
        let row = [UInt8](repeating: 0, count: 16) + [UInt8](repeating: 255, count: 16)
        let large = try folder.writePGM("l.pgm", width: 32, height: 4, pixels: row + row + row + row)
        let small = try folder.writePGM("s.pgm", width: 4, height: 4, grey: 7)
        let (frames, _) = try await Self.play(Self.unpaced([large, small]))
        let ground = Letterbox.ground
        let largeRow = [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8)
        #expect(Array(frames[0].pixels[0..<16]) == [UInt8](repeating: ground, count: 16))
        #expect(Array(frames[0].pixels[48..<64]) == largeRow)
        let smallRow = [UInt8](repeating: ground, count: 6) + [7, 7, 7, 7] + [UInt8](repeating: ground, count: 6)
        #expect(Array(frames[1].pixels[32..<48]) == smallRow)
    }

    @Test func `a picture that is slow to decode holds up no frame, and a stop ends the wait for it`() async throws {
        let folder = TemporaryFolder()
        let files = try ["a.pgm", "b.pgm"].map { FileName(try folder.writePGM($0, width: 2, height: 2, grey: 1)) }
        let renderer = PictureRenderer(
            limits: .init(), executable: ReaderExecutable.locatePictures(), faults: ["--fault", "hang-on-frame=2"])
        var settings = ReplaySettings()
        settings.framesPerPicture = 1
        var player = ScenePlayer(
            files: files, settings: settings, size: FrameSize(width: 8, height: 8), renderer: renderer)
        try player.prepare { _ in }
        for _ in 0..<1000 { #expect(try player.next(waits: false) { _ in }?.label == "a.pgm") }
        let stop = player.stop
        let (waiting, began) = (player, Recorder<Bool>())
        async let last = blocking {
            var player = waiting
            began.add(true)
            return try player.next { _ in }?.label
        }
        await began.wait(count: 1)
        stop()
        #expect(try await last == nil)
    }

    @Test func `a name that isn't UTF-8 is shown escaped`() async throws {
        let folder = TemporaryFolder()
        let plain = try folder.writePGM("a.pgm", width: 2, height: 2, grey: 1)
        let odd = FileName(folder.path).appending(FileName(bytes: [0xE9] + Array(".pgm".utf8)))
        #expect(odd.withCString { rename(plain, $0) } == 0)
        defer { _ = odd.withCString { unlink($0) } }
        let (frames, _) = try await Self.play(Self.unpaced([folder.path]))
        #expect(frames.map(\.info.label) == ["\\xE9.pgm"])
    }

    @Test func `simulated movement depends on seed and frame alone`() throws {
        let size = FrameSize(width: 64, height: 48)
        let picture = Picture(
            size: size, pixels: (0..<64 * 48).map { UInt8(truncatingIfNeeded: $0 &* 7) }, name: "x")
        func draw(_ seed: UInt64, _ frame: UInt64) -> [UInt8] {
            var movement = SimulatedMovement(
                .simulated(pan: 1, zoom: 1, blur: 1, noise: 1, exposure: 1, seed: seed))
            var output = [UInt8](repeating: 0, count: 64 * 48)
            output.withUnsafeMutableBufferPointer { movement.render(picture, frame: frame, into: $0) }
            return output
        }
        #expect(draw(1, 5) == draw(1, 5))
        #expect(draw(1, 5) != draw(2, 5))
        #expect(draw(1, 5) != draw(1, 6))
    }

    @Test func `movement stays within its extremes and none is the picture itself`() {
        let movement = SimulatedMovement(.simulated(pan: 1, zoom: 1, blur: 1, noise: 1, exposure: 1, seed: 3))
        for frame in 0..<2000 as Range<UInt64> {
            let pose = movement.pose(frame: frame)
            #expect(abs(pose.x) <= SimulatedMovement.largestPan && abs(pose.y) <= SimulatedMovement.largestPan)
            #expect((0.7...1.3).contains(pose.scale) && (0...4).contains(pose.blurRadius))
            #expect((0.55...1.45).contains(pose.exposure))
        }
        let none = SimulatedMovement(.simulated(pan: 0, zoom: 0, blur: 0, noise: 0, exposure: 0, seed: 3))
        #expect(none.pose(frame: 77) == SimulatedMovement.Pose())
        #expect(SimulatedMovement(.still).isStill)
    }

    @Test func `the cache is bounded and the picture used longest ago goes first`() throws {
        let size = FrameSize(width: 10, height: 10)
        let pictures = (0..<4).map { Picture(size: size, pixels: [UInt8](repeating: 1, count: 100), name: "\($0)") }
        var cache = PictureCache(limit: 250)
        var made: [String] = []
        func show(_ index: Int) throws -> Picture {
            try cache.picture(FileName("\(index).pgm")) { () throws(SceneReel.Unreadable) in
                made.append("\(index)")
                return pictures[index]
            }
        }
        for index in [0, 1, 0, 2, 0, 1] { #expect(try show(index) === pictures[index]) }
        #expect(made == ["0", "1", "2", "1"])
        #expect(cache.count == 2)
    }

    @Test func `a picture that was written over is made again, and takes no more room`() throws {
        let folder = TemporaryFolder()
        let file = FileName(folder.file("a.pgm"))
        #expect(FileVersion(file) == nil)
        var cache = PictureCache(limit: 150)
        var made = 0
        func show() throws {
            _ = try cache.picture(file, version: FileVersion(file)) { () throws(SceneReel.Unreadable) in
                made += 1
                return Picture(
                    size: FrameSize(width: 10, height: 10), pixels: [UInt8](repeating: 1, count: 100), name: "a")
            }
        }
        try folder.writePGM("a.pgm", width: 16, height: 16, grey: 90)
        try show()
        try show()
        #expect(made == 1)
        // Another size, so that the clock's fineness doesn't matter.
        try folder.writePGM("a.pgm", width: 32, height: 16, grey: 90)
        try show()
        try show()
        #expect(made == 2)
        #expect(cache.count == 1)
    }

    @Test func `a controller over a replay reads it once and becomes available`() async throws {
        let folder = TemporaryFolder()
        for name in ["a.pgm", "b.pgm"] { try folder.writePGM(name, width: 640, height: 480, grey: 90) }
        var settings = CaptureSettings()
        settings.source = .replay(Self.unpaced([folder.path], framesPerPicture: 5))
        settings.preset = .low
        // A slow machine isn't a silent camera.
        settings.frameTimeout = .seconds(3600)
        let sink = CollectingSink()
        let notices = Recorder<CaptureNotice>()
        // Tells which picture was left out, and why.
        let log = Recorder<String>()
        let controller = CaptureController(settings: settings, sink: sink, log: { log.add($0.text) })
        _ = await controller.observe { notices.add($0) }
        await controller.start()
        await notices.wait(for: .runEnded(1, .sceneEnded))
        #expect(log.values.filter { $0.contains(".pgm") } == [])
        #expect(sink.frames.values.count == 10)
        #expect(await controller.state == .available)
        #expect(await controller.report().camera?.id == "replay")
        await controller.shutdown()
    }

    @Test func `a replay without a scene is unavailable with the reason`() async {
        var settings = CaptureSettings()
        settings.source = .replay(ReplaySettings(paths: ["/nonexistent"]))
        let controller = CaptureController(settings: settings, sink: CollectingSink(), log: { _ in })
        await controller.load()
        #expect(await controller.state.name == "unavailable")
        await controller.shutdown()
    }
}
