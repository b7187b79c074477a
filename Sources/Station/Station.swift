import Capture
import Delivery
import Journal
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
    package internal(set) var settings: StationSettings
    package internal(set) var counters = StationCounters()

    let options: StationOptions
    let parts: StationParts
    let control: ControlServer
    let clock: StationClock
    /// The station's name on the wire.
    package nonisolated let name: String
    let startedAt: Instant
    let interpreter: PayloadInterpreter
    let cameraWorker = OrderedWorker()
    let torchWorker = OrderedWorker()
    let readerWorker = OrderedWorker()

    // State of the actor; the other files of it change what is theirs.
    var log: RateLimitedLog
    var machine: ScanMachine
    var latest = LatestScans()
    var journalState = JournalState.closed
    /// Of the journal that scans were last kept in; empty before.
    var journalID = ""
    /// The journal takes scans and knows the outputs.
    var isKeeping = false
    /// Who waits for that, or for the word that it can't be.
    var keepingWaiters: [CheckedContinuation<Void, Never>] = []
    /// Scans on their way to the disk, and events that are told behind them.
    var scansBeingKept = 0
    var heldBack: [Event] = []
    var session: (id: UInt64, trigger: TriggerMode)?
    var pending: Symbol?
    var isPaused = false
    var isStopping = false
    var wasClockSynced = false
    var timer = WakeTimer()
    var hostAnswers: HostAnswerMachine
    var hostTimer = WakeTimer()
    /// Texts that count as accepted when no host answers; `nil` without a list.
    var allowList: AllowList?
    var forwarders: [Task<Void, Never>] = []
    var keeping: Task<Void, Never>?
    var cameraState = CameraState.notLoaded
    var cameraDemand = CameraDemand.stop
    var isCameraReady = false
    /// Whether the ready cue was played: once a run, so that a camera that comes and goes doesn't sing.
    var wasEverReady = false
    var isCameraLost = false
    /// Whether the loss of the camera was reported: once, until frames come again.
    var isCameraLossTold = false
    var cameraWatch: CameraWatch
    var pressure = PressureMachine()
    var duties = StationDuties()
    var focusRetry = FocusRetry()
    var torchStatus = TorchStatus.none
    /// Why frames can't be read; `nil` when they can.
    var readerProblem: String?
    /// Outputs whose trouble is in the log, so that its end goes there too.
    var troubledOutputs: Set<String> = []

    /// Why the station can't go on: whoever runs it stops it then and ends the process. For one reader.
    package nonisolated let failures: AsyncStream<StationError>
    let failureSink: AsyncStream<StationError>.Continuation
    /// The camera didn't let itself be stopped: its thread is still in there, so the process mustn't wait for it.
    package private(set) var isCameraStuck = false

    private var observers: [UInt64: AsyncStream<Event>.Continuation] = [:]
    private var nextObserver: UInt64 = 1

    /// Makes the parts; starts nothing. Throws what is wrong with the settings.
    package init(settings: StationSettings, options: StationOptions, log: Logger) throws {
        self.settings = settings
        self.options = options
        name = settings.name ?? StationHost.name
        clock = options.clock
        startedAt = clock.now
        cameraWatch = CameraWatch(patience: options.cameraPatience, hangLimit: settings.capture.hangLimit)
        (failures, failureSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
        self.log = RateLimitedLog(log, maxPerSecond: settings.log.maxPerSecond)
        interpreter = PayloadInterpreter(settings: settings.payloads)
        try settings.check(decoders: options.decoders)
        machine = ScanMachine(
            trigger: settings.trigger, confirmation: settings.confirmation, symbologies: settings.reading.symbologies,
            idle: settings.capture.idle, limits: .alternatingTurns)
        hostAnswers = HostAnswerMachine(settings: settings.host)
        let door = CommandDoor()
        let handler: CommandHandler = { command, client in await door.answer(command, from: client) }
        parts = try StationParts.make(settings: settings, name: name, options: options, handler: handler)
        control = ControlServer(
            settings: settings.control, secrets: settings.control.secrets, journal: parts.journal, handler: handler)
        door.station = self
    }

    // MARK: Life

    /// Opens the control socket, then starts outputs, readers and the camera. Throws when the socket is taken by another
    /// station; everything else that isn't there yet is waited for.
    package func start() async throws {
        try await control.start()
        wasClockSynced = clock.isSynced
        await parts.dispatcher.start()
        await parts.network.start()
        // The first event of every run, whatever the parts have to tell: nothing else is listened to yet.
        publish(.state(StateEvent(part: "station", state: "started", fields: ["version": .string(options.version)])))
        // Nothing is read before the journal is open; the camera needn't wait for it.
        apply(machine.handle(.journalLost, at: clock.now))
        // Listeners first: a line that is taken at the start is told of once.
        await forward()
        forwarders.append(Task { [weak self] in await self?.openJournal() })
        await parts.startPeripherals()
        let size = settings.capture.effectiveResolution
        readerWorker.submit { [parts, weak self] in
            do { try await parts.reader.start(size: size) } catch { await self?.readersFailed("\(error)") }
        }
        cameraWorker.submit { [parts] in await parts.capture.load() }
        loadAllowList()
        apply(machine.handle(.start, at: clock.now))
        // Whoever gives commands from here on finds a station that can keep a scan, if it can at all.
        _ = await withTimeLimit(options.journalPatience) { [weak self] in await self?.untilKeepingIsDecided() }
    }

    /// Ends sessions, drives every line to its safe level, stops the camera, writes what the outputs still hold.
    ///
    /// Lines come first: whatever may hang after them, nothing is left lit, sounding or open.
    package func stop() async {
        guard !isStopping else { return }
        isStopping = true
        keepingIsDecided()
        publish(.state(StateEvent(part: "station", state: "stopping")))
        apply(machine.handle(.stop, at: clock.now))
        timer.cancel()
        hostTimer.cancel()
        await parts.shutDownPeripherals()
        let hasLetGo: Void? = await withTimeLimit(options.cameraTimeout) { [cameraWorker, parts] in
            await cameraWorker.finish()
            await parts.capture.shutdown()
        }
        isCameraStuck = hasLetGo == nil
        if isCameraStuck {
            log.write(
                .error, kind: "camera", "it doesn't let itself be stopped; the station ends without that",
                at: clock.now)
        }
        await readerWorker.finish()
        await parts.reader.stop()
        await torchWorker.finish()
        parts.keeper.finish()
        await keeping?.value
        for task in forwarders { task.cancel() }
        failureSink.finish()
        publish(.state(StateEvent(part: "station", state: "stopped")))
        await parts.network.stop()
        await parts.dispatcher.stop(within: options.drainTimeout)
        await parts.journal.close()
        await control.stop()
        for observer in observers.values { observer.finish() }
        observers = [:]
    }

    /// Where clients find the station.
    package nonisolated var controlPath: String { control.path }

    /// Events from now on, for the panel; the newest 256 wait for a slow reader.
    package func events() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        let id = nextObserver
        nextObserver += 1
        observers[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.forget(observer: id) }
        }
        return stream
    }

    private func forget(observer: UInt64) { observers[observer] = nil }

    // MARK: What other files of the actor use

    /// Tells outputs, socket clients and observers.
    func publish(_ body: Event.Body, toOutputs: Bool = true) {
        publish(Event(stamp: clock.stamp(station: name), body: body), toOutputs: toOutputs)
    }

    func publish(_ event: Event, toOutputs: Bool = true) {
        // Clients of the socket first: they wait for it, the outputs' turn begins with a look into the journal.
        control.publish(event)
        if toOutputs { parts.dispatcher.submit(event) }
        for observer in observers.values { observer.yield(event) }
    }

    // Each part gets what it is told in order, without the scan loop waiting for it. A device that is stuck takes nothing
    // any more; what doesn't fit is counted.

    func onCamera(_ job: @escaping @Sendable (CaptureController) async -> Void) {
        submit(to: cameraWorker) { [parts] in await job(parts.capture) }
    }

    func onTorch(_ job: @escaping @Sendable (Torch) async -> Void) {
        submit(to: torchWorker) { [parts] in await job(parts.torch) }
    }

    func onReader(_ job: @escaping @Sendable (Reader) async -> Void) {
        submit(to: readerWorker) { [parts] in await job(parts.reader) }
    }

    private func submit(to worker: OrderedWorker, _ job: @escaping OrderedWorker.Job) {
        if !worker.submit(job) { countDropped() }
    }

    /// What a part gives when it has done `job`, in its turn; `nil`: too much waits for that part already.
    @discardableResult
    func result<Value: Sendable>(
        on worker: OrderedWorker, of job: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        let value = try await worker.result(of: job)
        if value == nil { countDropped() }
        return value
    }

    private func countDropped() {
        if !isStopping { counters.inboxDropped += 1 }
    }

    func count(_ change: (inout StationCounters) -> Void) { change(&counters) }
}
