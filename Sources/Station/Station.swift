import Capture
import Delivery
import Journal
import Linux
import Logging
import Payloads
import Peripherals
import Reading
import ScanCore
import Settings
import Vocabulary
import Wire

/// The scan loop: wires the parts, owns sessions and feedback.
///
/// Every input (a frame's result, an edge, a camera notice, a command) enters through one synchronous method of this actor
/// and is handled to its end before the next: `ScanMachine` decides, the actor performs. Nothing in here waits for a device;
/// what may block (camera, torch, readers' settings) is handed to an ordered worker, what is slow (outputs) to the
/// dispatcher. So a stuck cable never holds up a scan.
package actor Station {
    /// Callers that wait to hear whether scans can be kept, and events that are announced after scans.
    typealias Keeping = KeepingMachine<CheckedContinuation<Void, Never>, Event>

    private enum Phase {
        case up, stopping, stopped, stoppedWithoutCamera
    }

    package internal(set) var settings: StationSettings
    package internal(set) var counters = StationCounters()

    let options: StationOptions
    let parts: StationParts
    let workers: PartWorkers
    let publisher: EventPublisher
    private let failureReport = FailureReport()

    // The machines that decide. The actor's other files feed them and perform what they say.
    var machine: ScanMachine
    var keeping = Keeping()
    var readiness = ReadinessMachine()
    var unread = UnreadMachine()
    var host: HostDesk
    var health: StationHealth
    var cameraWatch: CameraWatch
    var focusRetry = FocusRetry()

    var log: RateLimitedLog
    var desk: ConsoleDesk
    private var timer = WakeTimer()
    private var phase = Phase.up
    var listeners: [Task<Void, Never>] = []

    /// Makes the parts; starts nothing. Throws what is wrong with the settings.
    package init(settings: StationSettings, options: StationOptions, log: Logger) throws {
        self.settings = settings
        self.options = options
        desk = ConsoleDesk(options)
        let clock = options.clock
        cameraWatch = CameraWatch(patience: options.cameraPatience, hangLimit: settings.capture.hangLimit)
        self.log = RateLimitedLog(log, maxPerSecond: settings.log.maxPerSecond)
        try settings.check(decoders: options.decoders)
        machine = ScanMachine(
            trigger: settings.trigger, confirmation: settings.confirmation, symbologies: settings.reading.symbologies,
            idle: settings.capture.idle, limits: .alternatingTurns)
        host = HostDesk(settings: settings.host)
        health = StationHealth(startedAt: clock.now, isClockSynced: clock.isSynced)
        let name = settings.name ?? StationHost.name
        let door = CommandDoor()
        parts = try StationParts.make(
            settings: settings, name: name, options: options,
            handler: { command, client in await door.answer(command, from: client) },
            pictures: { request, secrets in await door.preview(request, secrets: secrets) })
        workers = PartWorkers(parts)
        publisher = EventPublisher(station: name, clock: clock, parts: parts)
        door.station = self
    }

    /// The station's name on the wire.
    package nonisolated var name: String { publisher.station }

    /// Where clients find the station.
    package nonisolated var controlPath: String { parts.control.path }

    /// Where its console connects; `nil`: `console.enabled` is off.
    package nonisolated var consolePath: String? { parts.console?.path }

    /// Why the station can't go on: its owner then stops it and ends the process. For one reader.
    package nonisolated var failures: AsyncStream<StationError> { failureReport.reasons }

    /// The camera couldn't be stopped: its thread still hangs, so the process mustn't wait for it.
    package var isCameraStuck: Bool { phase == .stoppedWithoutCamera }

    nonisolated var clock: StationClock { options.clock }
    var isStopping: Bool { phase != .up }

    // MARK: Life

    /// Opens the control socket, then starts outputs, readers and the camera. Throws when the socket is taken by another
    /// station; everything else that isn't there yet is waited for.
    package func start() async throws {
        try await parts.control.start()
        await parts.dispatcher.start()
        await parts.network.start()
        // The first event of every run, before anything from the parts: nobody listens to them yet.
        publish(state: "started", of: "station", fields: ["version": .string(options.version)])
        // Nothing is read before the journal is open, but the camera needn't wait for that.
        feed(.journalLost)
        // Listeners first, so that a line that is taken at the start is reported once.
        await listen()
        listeners.append(Task { [weak self] in await self?.openJournal() })
        await tellOverlay()
        await serveConsole()
        await parts.startPeripherals()
        let size = settings.capture.effectiveResolution
        workers.reader.submit { [weak self] reader in
            do { try await reader.start(size: size) } catch { await self?.readersFailed("\(error)") }
        }
        workers.camera.submit { await $0.load() }
        loadAllowList()
        feed(.start)
        // From here on, commands find a station that can keep a scan, if it can at all.
        _ = await withTimeLimit(options.journalPatience) { [weak self] in await self?.untilKeepingIsDecided() }
    }

    /// Ends sessions, drives every line to its safe level, stops the camera, writes what the outputs still hold.
    ///
    /// Lines come first: whatever hangs after that, nothing is left lit, sounding or open.
    package func stop() async {
        guard !isStopping else { return }
        phase = .stopping
        tell(keeping: .stop)
        publish(state: "stopping", of: "station")
        feed(.stop)
        timer.cancel()
        desk.stop()
        host.stop()
        await parts.shutDownPeripherals()
        let hasLetGo: Void? = await withTimeLimit(options.cameraTimeout) { [workers, parts] in
            await workers.camera.finish()
            await parts.capture.shutdown()
        }
        if hasLetGo == nil {
            note(.error, kind: "camera", "it can't be stopped; the station ends without waiting for it")
        }
        await workers.reader.finish()
        await parts.reader.stop()
        await workers.torch.finish()
        await parts.keeper.finish()
        for listener in listeners { listener.cancel() }
        failureReport.finish()
        publish(state: "stopped", of: "station")
        await parts.network.stop()
        await parts.dispatcher.stop(within: options.drainTimeout)
        await parts.journal.close()
        await parts.console?.stop()
        await parts.control.stop()
        publisher.finish()
        phase = hasLetGo == nil ? .stoppedWithoutCamera : .stopped
    }

    /// Events from now on, for the panel; the newest 256 wait for a slow reader.
    package nonisolated func events() -> AsyncStream<Event> { publisher.events() }

    // MARK: What other files of the actor use

    /// An event for the machine that happened at `moment`; `nil`: now.
    func feed(_ event: ScanMachine.Event, at moment: Instant? = nil) {
        apply(machine.handle(event, at: moment ?? clock.now))
    }

    func wake(at moment: Instant?) {
        timer.set(at: moment, now: clock.now) { [weak self] in await self?.feed(.tick) }
    }

    /// Tells outputs, socket clients and observers.
    func publish(_ body: Event.Body, toOutputs: Bool = true) { publish(publisher.event(body), toOutputs: toOutputs) }

    func publish(
        state: String, of part: String, reason: String? = nil, detail: String? = nil, fields: [String: JSONValue] = [:]
    ) {
        publish(.state(StateEvent(part: part, state: state, reason: reason, detail: detail, fields: fields)))
    }

    func publish(_ event: Event, toOutputs: Bool = true) { publisher.publish(event, toOutputs: toOutputs) }

    func note(_ level: Logger.Level, kind: String, _ text: String) {
        log.write(level, kind: kind, text, at: clock.now)
    }

    /// An error for everybody and for the log, where it counts as a line of `kind`, or of the part by default.
    func complain(
        _ part: String, _ code: String, _ text: String, kind: String? = nil, _ level: Logger.Level = .error
    ) {
        note(level, kind: kind ?? part, text)
        publish(.error(ErrorEvent(part: part, code: code, message: text)))
    }

    /// Tells the station's owner, which stops the station as on a signal, lines first, and exits with a special code.
    func fail(_ reason: StationError) { failureReport.tell(reason) }

    /// One task keeps the source's order; the actor handles one element at a time, to its end.
    func listen<Element: Sendable>(
        to stream: AsyncStream<Element>, _ body: @escaping @Sendable (isolated Station, Element) -> Void
    ) {
        listeners.append(
            Task { [weak self] in
                for await element in stream {
                    guard let self else { return }
                    await body(self, element)
                }
            })
    }

    /// Looks at something now and then, outside the actor, and tells the actor what it saw.
    func look<Sight: Sendable>(
        every interval: Duration, at take: @escaping @Sendable () -> Sight,
        _ body: @escaping @Sendable (isolated Station, Sight) -> Void
    ) {
        listeners.append(
            Task { [weak self] in
                while !Task.isCancelled {
                    let sight = take()
                    if let self { await body(self, sight) }
                    try? await Task.sleep(for: interval, clock: .suspending)
                }
            })
    }
}
