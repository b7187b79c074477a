import Settings
import Testing
import Vocabulary

@testable import Capture

@Suite struct FrameRelayTests {
    @Test func `an exposure that was asked for before the settings changed doesn't count after`() {
        let (stream, signals) = AsyncStream.makeStream(of: FrameRelay.Signal.self)
        let sink = CollectingSink()
        let relay = FrameRelay(
            sink: sink, governor: ShutterGovernor(settings: ExposureSettings()), signals: signals)
        let pixels: [UInt8] = [0]
        pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for sequence in 0...1 as ClosedRange<UInt64> {
                let info = FrameInfo(
                    sequence: sequence, exposedAt: .zero, deliveredAt: .zero, exposureMicroseconds: 20_000, gain: 1)
                relay.frame(LumaFrame(base: base, size: FrameSize(width: 1, height: 1), rowStride: 1, info: info))
            }
        }
        // The signal is on its way, and the exposure becomes fixed before anybody sees it.
        #expect(relay.exposure == .fixed(.milliseconds(5)))
        var settings = ExposureSettings()
        settings.time = .milliseconds(1)
        relay.setGovernor(ShutterGovernor(settings: settings))
        #expect(relay.exposure == .fixed(.milliseconds(1)))
        _ = stream
    }

    @Test func `a flood of warnings is counted and lets a fault through`() async {
        let (stream, signals) = AsyncStream.makeStream(of: FrameRelay.Signal.self)
        let relay = FrameRelay(
            sink: CollectingSink(), governor: ShutterGovernor(settings: ExposureSettings()), signals: signals)
        for number in 0..<1000 { relay.event(.warning("\(number) is damaged")) }
        relay.event(.fault("x"))
        signals.finish()
        var events: [CameraDeviceEvent] = []
        for await case .device(let event, _) in stream { events.append(event) }
        #expect(events.count == FrameRelay.largestWarnings + 1)
        #expect(events.last == .fault("x"))
        #expect(relay.tookWarning() == 1000 - FrameRelay.largestWarnings)
        #expect(relay.tookWarning() == 0)
    }

    /// (what the stamp says, what it means), with 60 s spent suspended and the clocks at 1000 s and 940 s.
    @Test(arguments: [(939.9, 999.9), (999.9, 999.9), (1000.1, 1000.0)])
    func `a sensor's stamp of either clock is placed on the station's`(stamp: Double, meant: Double) {
        func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 10).rounded()) * 100_000_000 }
        let instant = SensorClock.instant(
            of: nanoseconds(stamp), now: Instant(nanoseconds: nanoseconds(1000)), monotonicNow: nanoseconds(940))
        #expect(instant.nanoseconds == nanoseconds(meant))
    }
}
