import Dispatch
import Logging
import Testing
import Vocabulary

@testable import Station

@Suite("Service notifier", .timeLimit(.minutes(10)))
struct ServiceNotifierTests {
    private static let watchdog: Duration = .milliseconds(400)

    /// A notifier and what it tells the manager.
    private func notifier(watchdog: Duration?) -> (ServiceNotifier, AsyncStream<String>.Iterator) {
        let (stream, sink) = AsyncStream.makeStream(of: String.self)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let notifier = ServiceNotifier(watchdog: watchdog, log: log) { text in
            sink.yield(text)
            return true
        }
        return (notifier, stream.makeAsyncIterator())
    }

    private func next(
        _ messages: inout AsyncStream<String>.Iterator, with text: String
    ) async throws -> (message: String, before: [String]) {
        var before: [String] = []
        while let message = await messages.next(isolation: nil) {
            if message.contains(text) { return (message, before) }
            before.append(message)
        }
        throw StationHarness.StationEnded()
    }

    @Test("it reports that the station is ready, feeds the watchdog, and reports a reload and the end")
    func life() async throws {
        // Nothing is read before it is reported ready: a scan in that message would be no news later.
        let harness = try await StationHarness.start(pictures: ["04-qr-url.png"]) { $0.trigger.mode = .host }
        _ = try await harness.nextState(of: "camera", "running")
        var (notifier, messages) = notifier(watchdog: Self.watchdog)
        await notifier.started(harness.station)
        let ready = try await next(&messages, with: "READY=1")
        #expect(ready.before.isEmpty, "nothing comes before it is ready")
        #expect(ready.message.contains("\nSTATUS="))
        #expect(await harness.station.perform(.trigger).error == nil)
        _ = try await harness.nextScan()
        let scanned = try await next(&messages, with: "STATUS=camera running; 1 scan")
        #expect(!scanned.message.contains("WATCHDOG"))
        for _ in 0..<3 { _ = try await next(&messages, with: "WATCHDOG=1") }
        await notifier.reloading()
        #expect(try await next(&messages, with: "RELOADING=1").message.contains("MONOTONIC_USEC="))
        await notifier.reloaded(problem: "the new configuration has errors")
        #expect(
            try await next(&messages, with: "READY=1").message
                == "READY=1\nSTATUS=the new configuration has errors")
        await notifier.stopping()
        #expect(try await next(&messages, with: "STOPPING=1").message == "STOPPING=1\nSTATUS=stopping")
        await harness.station.stop()
    }

    @Test("a stuck scan loop doesn't feed the watchdog, and one that goes on does")
    func stuckLoop() async throws {
        let harness = try await StationHarness.start(pictures: ["04-qr-url.png"])
        var (notifier, messages) = notifier(watchdog: Self.watchdog)
        await notifier.started(harness.station)
        _ = try await next(&messages, with: "WATCHDOG=1")

        let gate = DispatchSemaphore(value: 0)
        async let stuck: Void = harness.station.block(until: gate)
        // It takes a moment until it is stuck, and a busy machine's loop may be late before that.
        var toldInARow = 0
        while toldInARow < 6 {
            let told = try await next(&messages, with: "the scan loop hasn't answered")
            toldInARow = told.before.contains { $0.contains("WATCHDOG") } ? 1 : toldInARow + 1
        }
        gate.signal()
        await stuck
        _ = try await next(&messages, with: "WATCHDOG=1")
        await notifier.stopping()
        await harness.station.stop()
    }

    @Test("a camera that runs, delivers nothing and doesn't say so stops the feed")
    func silentCamera() async throws {
        let camera = ScriptedCamera("04-qr-url.png")
        let harness = try await StationHarness(
            pictures: [], { $0.capture.frameTimeout = StationHarness.patience }, options: { $0.cameraSystem = camera })
        try await harness.station.start()
        _ = try await harness.nextState(of: "camera", "running")
        var machine = WatchdogMachine(limit: .seconds(20))
        var now = Instant.zero
        /// As if an hour and more had passed since the last look: longer than the controller waits for a frame.
        func look() async -> [WatchdogMachine.Action] {
            now = now.advanced(by: StationHarness.patience + .seconds(600))
            guard case .ask(let number)? = machine.handle(.due, at: now).first else { return [] }
            let all = await harness.station.look().look
            let camera = WatchdogLook(duties: all.duties.filter { $0.part == "camera" })
            #expect(camera.duties.count == 1)
            return machine.handle(.answered(number, camera), at: now)
        }
        for _ in 0..<5 {
            await camera.frames(2)
            #expect(await look() == [.feed])
        }
        camera.setSilent(true)
        // A frame may still have been on its way.
        var answer = await look()
        while answer == [.feed] { answer = await look() }
        guard case .tell(.part("camera", for: _))? = answer.first else {
            Issue.record("a silent camera: \(answer)")
            return await harness.station.stop()
        }
        camera.setSilent(false)
        await camera.frames(2)
        #expect(await look() == [.feed, .tellOver])
        await harness.station.stop()
    }

    @Test("readers that don't start stop the feed of a version on trial; one that has proved itself stays")
    func noReaders() async throws {
        for (standing, isFed) in [(VersionStanding.onTrial("1.1"), false), (.settled, true)] {
            let harness = try await StationHarness(
                pictures: [],
                options: {
                    $0.readerExecutable = "/nowhere/scanstation-reader"
                    $0.standing = standing
                })
            try await harness.station.start()
            while await !harness.station.serviceStatus.contains("frames can't be read") { await Task.yield() }
            var machine = WatchdogMachine(limit: .seconds(20))
            var now = Instant.zero
            var answers: [[WatchdogMachine.Action]] = []
            for _ in 0..<5 {
                now = now.advanced(by: StationDuties.readerSlack + .seconds(1))
                guard case .ask(let number)? = machine.handle(.due, at: now).first else { break }
                answers.append(machine.handle(.answered(number, await harness.station.look().look), at: now))
            }
            #expect(answers.count == 5 && answers.last?.contains(.feed) == isFed, "\(standing): \(answers)")
            if !isFed, case .tell(.part(let part, for: _))? = answers.last?.first { #expect(part == "readers") }
            await harness.station.stop()
        }
    }

    @Test("a missing camera is no reason to end the station, and the status line names it")
    func noCamera() async throws {
        let camera = ScriptedCamera("04-qr-url.png")
        camera.failOpening(.unavailable(.notFound(wanted: nil, found: [])))
        let harness = try await StationHarness(pictures: [], options: { $0.cameraSystem = camera })
        try await harness.station.start()
        _ = try await harness.nextState(of: "camera", "unavailable")
        var (notifier, messages) = notifier(watchdog: Self.watchdog)
        await notifier.started(harness.station)
        let ready = try await next(&messages, with: "READY=1").message
        #expect(ready.contains("camera unavailable; 0 scans; no camera was found"))
        for _ in 0..<10 { _ = try await next(&messages, with: "WATCHDOG=1") }
        await notifier.stopping()
        await harness.station.stop()
    }

    @Test("readiness waits for the journal, or for the news that it isn't available")
    func waitsForJournal() async throws {
        let harness = try await StationHarness(pictures: ["04-qr-url.png"]) {
            $0.journal.storage = .disk
            $0.journal.folder = "/proc/nowhere"
        }
        try await harness.station.start()
        var (notifier, messages) = notifier(watchdog: nil)
        await notifier.started(harness.station)
        #expect(try await next(&messages, with: "READY=1").message.contains("journal unavailable: "))
        await notifier.stopping()
        await harness.station.stop()
    }

    @Test("what is taken from the environment")
    func environment() {
        func read(_ variables: [String: String]) -> ServiceEnvironment? {
            ServiceEnvironment(variables: { variables[$0] }, processID: 42)
        }
        #expect(read([:]) == nil)
        #expect(read(["NOTIFY_SOCKET": "relative"]) == nil)
        #expect(read(["NOTIFY_SOCKET": "@"]) == nil)
        #expect(read(["NOTIFY_SOCKET": "/run/systemd/notify"])?.watchdog == nil)
        let both = ["NOTIFY_SOCKET": "@name", "WATCHDOG_USEC": "20000000"]
        #expect(read(both)?.watchdog == .seconds(20))
        #expect(read(both.merging(["WATCHDOG_PID": "42"]) { $1 })?.watchdog == .seconds(20))
        #expect(read(both.merging(["WATCHDOG_PID": "7"]) { $1 })?.watchdog == nil, "it is meant for another process")
        #expect(read(both.merging(["WATCHDOG_USEC": "0"]) { $1 })?.watchdog == nil)
        #expect(read(both.merging(["WATCHDOG_USEC": "soon"]) { $1 })?.watchdog == nil)
    }
}

extension Station {
    /// The scan loop in a blocking call, as a driver's may be.
    fileprivate func block(until gate: DispatchSemaphore) { gate.wait() }
}
