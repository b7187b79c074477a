import Synchronization
import Testing
import Vocabulary

@testable import Capture
@testable import Reading

/// With the real reader process, found beside the test runner.
@Suite(.timeLimit(.minutes(10))) struct CompressedIntakeTests {
    private final class Receiver: CameraReceiver {
        let sink = CollectingSink()
        let events = Recorder<CameraDeviceEvent>()
        let damaged = Recorder<Void>()

        func frame(_ frame: LumaFrame) { sink.receive(frame) }
        func frameDamaged() { damaged.add(()) }
        func event(_ event: CameraDeviceEvent) { events.add(event) }

        var numbers: [UInt64] { sink.frames.values.map(\.info.sequence) }
        var texts: [String] {
            events.values.map { event in
                switch event {
                case .warning(let text), .fault(let text): text
                default: "\(event)"
                }
            }
        }
    }

    private let receiver = Receiver()
    private let clock = TestClock()

    private func intake(
        fault: String? = nil, limits: FrameUnpacker.Limits = .init(),
        executable: String = ReaderExecutable.locatePictures()
    ) -> CompressedIntake {
        let unpacker = FrameUnpacker(
            size: WebcamFrames.size, limits: limits, executable: executable,
            faults: fault.map { ["--fault", $0] } ?? [])
        return CompressedIntake(size: WebcamFrames.size, unpacker: unpacker, receiver: receiver) { [clock] in clock.now
        }
    }

    /// A limit that a debug build on a busy machine keeps.
    private static var patient: FrameUnpacker.Limits {
        var limits = FrameUnpacker.Limits()
        limits.deadline = .seconds(120)
        return limits
    }

    /// Each is taken when the previous one has been dealt with.
    private func deliver(_ frames: [[UInt8]], to intake: CompressedIntake, from first: UInt64 = 0) {
        for (index, bytes) in frames.enumerated() {
            let info = FrameInfo(sequence: first + UInt64(index), exposedAt: clock.now, deliveredAt: clock.now)
            bytes.withUnsafeBytes { intake.take($0, info) }
            intake.settle()
        }
    }

    @Test(arguments: [WebcamFrames.whole, WebcamFrames.withoutTables])
    func `a frame comes out as luma with its metadata, whether its Huffman tables are sent or not`(frame: [UInt8])
        throws
    {
        let intake = intake(limits: Self.patient)
        try intake.start()
        deliver([frame], to: intake, from: 7)
        intake.stop()
        let given = try #require(receiver.sink.frames.values.first)
        #expect(given.info.sequence == 7 && given.info.exposedAt == clock.now && given.size == WebcamFrames.size)
        #expect(WebcamFrames.showsChequers(given.pixels))
        #expect(receiver.damaged.values.isEmpty && receiver.events.values.isEmpty)
    }

    @Test func `the frames called bare have no tables`() {
        #expect(WebcamFrames.withoutTables.count < WebcamFrames.whole.count - 400)
    }

    @Test func `what isn't a whole frame is left out and counted, and reported once when it goes on`() throws {
        let intake = intake(limits: Self.patient)
        try intake.start()
        let bad: [[UInt8]] = [
            WebcamFrames.cut, Array(WebcamFrames.whole[..<20]), Array(WebcamFrames.whole[..<4]), [0xFF, 0xD8, 0xFF],
            [1, 2, 3],
            Array("P5 64 48 255 ".utf8) + [UInt8](repeating: 9, count: 64 * 48),
            WebcamFrames.claiming(FrameSize(width: 65_500, height: 65_500)),
            WebcamFrames.claiming(FrameSize(width: 48, height: 64)),
            WebcamFrames.claiming(FrameSize(width: 32, height: 32)),
        ]
        deliver(bad + [WebcamFrames.whole], to: intake)
        intake.stop()
        #expect(receiver.numbers == [UInt64(bad.count)])
        #expect(receiver.damaged.values.count == bad.count)
        #expect(receiver.texts.count == 1 && receiver.texts.first?.contains("3 frames within seconds") == true)
    }

    @Test func `nothing but damage is a fault with the reason`() throws {
        let intake = intake(limits: Self.patient)
        try intake.start()
        for number in 0..<10 as Range<UInt64> {
            deliver([WebcamFrames.cut], to: intake, from: number)
            clock.advance(by: .milliseconds(200))
        }
        intake.stop()
        #expect(receiver.numbers.isEmpty)
        let faults = receiver.events.values.filter { if case .fault = $0 { true } else { false } }
        #expect(
            faults.count == 1 && receiver.texts.last?.contains("can't be decoded: parts of them are missing") == true)
    }

    @Test func `a frame that kills the process is lost and reported; another process takes over`() throws {
        let intake = intake(fault: "crash-on-frame=2", limits: Self.patient)
        try intake.start()
        // The second ends the process; the third finds none, because the next one may start only in a moment.
        deliver([WebcamFrames.whole, WebcamFrames.whole, WebcamFrames.whole], to: intake)
        #expect(receiver.numbers == [0] && receiver.damaged.values.count == 1)
        #expect(receiver.texts.count == 1 && receiver.texts.first?.contains("was ended by signal 6") == true)
        clock.advance(by: .milliseconds(100))
        deliver([WebcamFrames.whole], to: intake, from: 3)
        intake.stop()
        #expect(receiver.numbers == [0, 3])
    }

    @Test func `a frame that takes too long is lost, and ends the run if none came before it`() throws {
        var limits = FrameUnpacker.Limits()
        limits.deadline = .milliseconds(100)
        let intake = intake(fault: "hang-on-frame=1", limits: limits)
        try intake.start()
        clock.advance(by: .seconds(1))
        deliver([WebcamFrames.whole], to: intake)
        intake.stop()
        #expect(
            receiver.texts.count == 1 && receiver.texts.first?.contains("didn't answer before the deadline") == true)
        guard case .fault? = receiver.events.values.first else {
            Issue.record("\(receiver.events.values)")
            return
        }
    }

    @Test func `a station that can't decode doesn't start this camera`() {
        let error = #expect(throws: CameraFailure.self) { try intake(executable: "/nonexistent/reader").start() }
        #expect(
            error?.description.contains("MJPEG") == true && error?.description.contains("/nonexistent/reader") == true)
    }

    @Test func `the newest frame wins, and nothing is passed on after a stop`() throws {
        let intake = intake(fault: "hang-on-frame=1", limits: Self.patient)
        try intake.start()
        let info = { FrameInfo(sequence: $0, exposedAt: clock.now, deliveredAt: clock.now) }
        // The first hangs in the process until the stop ends it; the others wait behind it, and there is only one place.
        for number in 0..<50 as Range<UInt64> { WebcamFrames.whole.withUnsafeBytes { intake.take($0, info(number)) } }
        intake.stop()
        WebcamFrames.whole.withUnsafeBytes { intake.take($0, info(50)) }
        intake.settle()
        #expect(receiver.numbers.isEmpty && receiver.events.values.isEmpty)
    }
}

@Suite struct StreamFormatChoiceTests {
    private static let request = CameraRequest(resolution: FrameSize(width: 1280, height: 720), frameRate: 30)

    private static func granted(_ width: Int, _ height: Int, _ rate: Double) -> GrantedSettings {
        let size = FrameSize(width: width, height: height)
        return GrantedSettings(
            resolution: size, format: "", rowStride: 0, frameRate: rate,
            memory: MemoryBudget.Camera(size: size, buffers: 4, bytesPerBuffer: 1))
    }

    /// Luma, then JPEG; whether JPEG is taken.
    @Test(arguments: [
        (granted(1280, 720, 30), granted(1280, 720, 30), false), (granted(1280, 720, 10), granted(1280, 720, 30), true),
        (granted(640, 480, 30), granted(1280, 720, 30), true), (granted(1280, 720, 20), granted(1280, 720, 24), false),
        (granted(640, 480, 30), granted(640, 480, 30), false),
        (granted(1920, 1080, 30), granted(1920, 1080, 30), false),
        (granted(1024, 768, 25), granted(1280, 720, 30), false),
    ])
    func `luma wins unless JPEG gives 50 % more`(
        _ luma: GrantedSettings, _ jpeg: GrantedSettings, _ isJPEG: Bool
    ) {
        let isTried = StreamFormatChoice.isJPEGWorthTrying(insteadOf: luma, for: Self.request)
        #expect((isTried && StreamFormatChoice.prefers(jpeg, over: luma, for: Self.request)) == isJPEG)
    }
}
