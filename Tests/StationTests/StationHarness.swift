import Foundation
import Journal
import Logging
import Peripherals
import Reading
import Settings
import Testing
import Vocabulary
import Wire

@testable import Station

/// A station on the desk with real readers, a replayed picture and a simulated panel; its events in order.
final class StationHarness {
    let station: Station
    let panel = SimulatedPanel()
    let socket: String
    private var events: AsyncStream<Event>.Iterator

    /// - Parameter pictures: names in the demo scene.
    static func start(
        pictures: [String], journal: (any ScanJournal)? = nil, _ change: (inout StationSettings) -> Void = { _ in },
        options: (inout StationOptions) -> Void = { _ in }
    ) async throws -> StationHarness {
        let harness = try await StationHarness(pictures: pictures, journal: journal, change, options: options)
        try await harness.station.start()
        return harness
    }

    init(
        pictures: [String], reader: String = ReaderExecutable.locate(), journal: (any ScanJournal)? = nil,
        _ change: (inout StationSettings) -> Void = { _ in }, options: (inout StationOptions) -> Void = { _ in }
    ) async throws {
        socket = NSTemporaryDirectory() + "st-\(UUID().uuidString.prefix(8)).sock"
        var settings = StationSettings()
        settings.name = "test"
        settings.outputs = []
        settings.journal.storage = .memory
        settings.control.socket = socket
        settings.console.isEnabled = false
        var replay = ReplaySettings(paths: pictures.map { Self.scene + "/" + $0 })
        replay.framesPerPicture = 15
        settings.capture.source = .replay(replay)
        settings.capture.preset = .low
        // Nothing ends because the machine that runs the tests is slow; a test that is about a time-out sets its own.
        settings.trigger.timeout = Self.patience
        settings.confirmation.timeout = Self.patience
        settings.host.timeout = Self.patience
        settings.capture.frameTimeout = Self.patience
        settings.capture.hangLimit = Self.patience
        settings.reading.deadline = .seconds(60)
        settings.torch = TorchSettings(line: LineSettings(line: "GPIO17"))
        settings.torch?.maxOnTime = Self.patience
        // A buzzer that sounds, a light that is lit, speaks of a scan; `readyIsHeard` plays it.
        settings.feedback.patterns[.ready] = FeedbackPattern([])
        change(&settings)
        var log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        log.logLevel = .critical
        var stationOptions = StationOptions(readerExecutable: reader, panel: panel, version: "test")
        stationOptions.answerPatience = Self.patience
        stationOptions.relayPatience = Self.patience
        stationOptions.journalPatience = Self.patience
        stationOptions.feedbackLimits.staleAfter = Self.patience
        stationOptions.journal = journal
        options(&stationOptions)
        station = try Station(settings: settings.withSimulatedPanel, options: stationOptions, log: log)
        events = station.events().makeAsyncIterator()
    }

    /// Longer than any test.
    static let patience: Duration = .seconds(3600)

    /// The demo scene in the source tree.
    static let scene = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Capture/Scene").path

    /// Drops events until one fits, and gives what `pick` made of it.
    func next<Result>(_ pick: (Event.Body) -> Result?) async throws -> Result {
        while let event = await events.next(isolation: nil) {
            if let result = pick(event.body) { return result }
        }
        throw StationEnded()
    }

    func nextScan() async throws -> ScanEvent {
        try await next { if case .scan(let scan) = $0 { scan } else { nil } }
    }

    func nextState(of part: String, _ state: String? = nil) async throws -> StateEvent {
        try await next { body in
            guard case .state(let event) = body, event.part == part, state == nil || event.state == state else {
                return nil
            }
            return event
        }
    }

    func nextNoRead() async throws -> NoReadEvent {
        try await next { if case .noRead(let noRead) = $0 { noRead } else { nil } }
    }

    func nextError(of part: String, _ code: String) async throws -> ErrorEvent {
        try await next { body in
            guard case .error(let error) = body, error.part == part, error.code == code else { return nil }
            return error
        }
    }

    struct StationEnded: Error {}
}
