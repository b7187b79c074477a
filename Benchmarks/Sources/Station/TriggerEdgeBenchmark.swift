import Foundation
import Logging
import Peripherals
import Reading
import Settings
import Station
import Synchronization
import Vocabulary
import Wire

/// From the trigger button's edge to its result, with a code in view and the camera running: the button, its debouncing, the session, the
/// read and the journal's commit, in a station in this process with real readers and a simulated panel. The panel's edges are raw, so the
/// station debounces them, as with libgpiod 1.x; a kernel that debounces takes as long.
struct TriggerEdgeBenchmark {
    /// A picture with one code.
    let picture: String

    static let presses = 60
    /// Two frame intervals at 30 a second, milliseconds.
    static let limit = 2000.0 / 30

    /// Milliseconds, less the time in the decoders; one for each press.
    struct Times {
        var toScan: [Double] = []
        /// To the good light's line.
        var toLight: [Double] = []
    }

    func measure() async throws -> Times {
        let scratch = try ScratchFolder("trigger-edge")
        let panel = SimulatedPanel(debouncesButtons: false)
        let lit = FirstRise()
        let token = panel.observe { change in
            if change.role == .good, change.what == .level(true) { lit.note() }
        }
        defer { panel.cancel(token) }
        var log = Logger(label: "trigger-edge") { JournalLogHandler(label: $0, level: .error) }
        log.logLevel = .error
        let options = StationOptions(readerExecutable: ReaderExecutable.locate(), panel: panel, version: "bench")
        let station = try Station(settings: settings(scratch.path).withSimulatedPanel, options: options, log: log)
        var events = station.events().makeAsyncIterator()
        try await station.start()
        do {
            let times = try await press(panel, lit, &events)
            await station.stop()
            return times
        } catch {
            await station.stop()
            throw error
        }
    }

    private func settings(_ folder: String) -> StationSettings {
        var settings = StationSettings()
        settings.name = "bench"
        settings.capture.source = .replay(ReplaySettings(paths: [picture]))
        settings.trigger.mode = .pulse
        settings.control.socket = folder + "/station.sock"
        settings.journal.folder = folder + "/state"
        settings.outputs = []
        // The good light must rise only for a read.
        settings.feedback.patterns[.ready] = FeedbackPattern([])
        return settings
    }

    private func press(
        _ panel: SimulatedPanel, _ lit: FirstRise, _ events: inout AsyncStream<Event>.Iterator
    ) async throws -> Times {
        try await isRunning(&events)
        var times = Times()
        for index in 0..<Self.presses {
            // Dark again after the scan before, then presses at changing phases of the frame interval.
            try await wait("the good light goes out") { !panel.lines.contains { $0.role == .good && $0.isActive } }
            try await Task.sleep(for: .milliseconds(100 + index % 11 * 3))
            lit.reset()
            let pressed = Clock.now
            guard panel.press(.trigger) else { throw BenchmarkFailure("the station listens to no trigger button") }
            let (scan, arrived) = try await nextScan(&events)
            try await wait("the good light is lit") { lit.at != nil }
            let decoding = scan.decodeTime.seconds
            times.toScan.append((arrived - pressed - decoding) * 1000)
            times.toLight.append(((lit.at ?? arrived) - pressed - decoding) * 1000)
            panel.release(.trigger)
        }
        return times
    }

    private func isRunning(_ events: inout AsyncStream<Event>.Iterator) async throws {
        while let event = await events.next(isolation: nil) {
            if case .state(let state) = event.body, state.part == "camera", state.state == "running" { return }
        }
        throw BenchmarkFailure("the station ended before its camera ran")
    }

    private func nextScan(_ events: inout AsyncStream<Event>.Iterator) async throws -> (scan: Scan, at: Double) {
        while let event = await events.next(isolation: nil) {
            let arrived = Clock.now
            switch event.body {
            case .scan(let scan): return (scan.scan, arrived)
            case .noRead: throw BenchmarkFailure("a session ended without a scan: is there one code in \(picture)?")
            default: continue
            }
        }
        throw BenchmarkFailure("the station ended by itself")
    }

    private func wait(_ what: String, until holds: () -> Bool) async throws {
        let deadline = Clock.now + 30
        while !holds() {
            guard Clock.now < deadline else { throw BenchmarkFailure("\(what): not within 30 s") }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// When something first happened since the last look.
    private final class FirstRise: Sendable {
        private let time = Mutex<Double?>(nil)

        var at: Double? { time.withLock { $0 } }

        func note() {
            let now = Clock.now
            time.withLock { $0 = $0 ?? now }
        }

        func reset() { time.withLock { $0 = nil } }
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
