import Capture
import Control
import Delivery
import Journal
import Linux
import Logging
import Payloads
import Peripherals
import Reading
import ScanCore
import Settings
import StationConfiguration
import Vocabulary
import Wire

/// The scan loop: wires the parts, owns sessions, readiness and the running settings.
///
/// Every input (a frame's result, an edge, a camera notice, a command) enters through one synchronous method of this actor
/// and is handled to its end before the next: `ScanMachine` decides, the actor performs. Nothing in here waits for a device;
/// what may block (camera, torch, readers' settings) is handed to an ordered worker, what is slow (outputs) to the
/// dispatcher. So a stuck cable never holds up a scan.
///
/// What has states of its own is in a desk, which has them to itself and takes the actor's turn (`in station: isolated Station`): keeping,
/// host, health, and those of the console. A desk uses of the actor what isn't private here.
package actor Station {
    private enum Phase {
        case up, stopping, stopped, stoppedWithoutCamera
    }

    package private(set) var settings: StationSettings

    let options: StationOptions
    let parts: StationParts
    private let workers: PartWorkers
    private let voice: StationVoice
    private let devices: DeviceCommands

    // The machines that decide about sessions and the camera.
    private(set) var machine: ScanMachine
    private var readiness = ReadinessMachine()
    private var unread = UnreadMachine()
    private var focusRetry = FocusRetry()
    var cameraAlarm: CameraAlarm

    // The desks. Their timers and tasks find them here.
    let keeping: KeepingDesk
    let host: HostDesk
    let desk: ConsoleDesk
    let figuresDesk: FiguresDesk
    private let health: StationHealth

    private var counted = StationCounters()
    private var timer = WakeTimer()
    private var phase = Phase.up
    private var listeners: [Task<Void, Never>] = []

    /// Makes the parts; starts nothing. Throws what is wrong with the settings.
    package init(settings: StationSettings, options: StationOptions, log: Logger) throws {
        self.settings = settings
        self.options = options
        try settings.check(decoders: options.decoders)
        machine = ScanMachine(
            trigger: settings.trigger, confirmation: settings.confirmation, symbologies: settings.reading.symbologies,
            idle: settings.capture.idle, limits: .alternatingTurns)
        let name = settings.name ?? StationHost.name
        let door = CommandDoor()
        let parts = try StationParts.make(
            settings: settings, name: name, options: options,
            handler: { command, client in await door.answer(command, from: client) },
            pictures: { request, secrets in await door.preview(request, secrets: secrets) })
        self.parts = parts
        workers = PartWorkers(parts)
        voice = StationVoice(
            EventPublisher(station: name, clock: options.clock, parts: parts), clock: options.clock,
            log: RateLimitedLog(log, maxPerSecond: settings.log.maxPerSecond))
        devices = DeviceCommands(parts: parts, workers: workers, voice: voice)
        cameraAlarm = CameraAlarm(
            CameraWatch(patience: options.cameraPatience, hangLimit: settings.capture.hangLimit), voice: voice,
            feedback: parts.feedback)
        health = StationHealth(parts, workers, voice: voice)
        host = HostDesk(
            settings: settings.host, relayPatience: options.relayPatience, journal: parts.journal, devices: devices,
            feedback: parts.feedback, voice: voice)
        keeping = KeepingDesk(parts, voice: voice, health: health, host: host)
        desk = ConsoleDesk(options, parts, host: host, voice: voice)
        figuresDesk = FiguresDesk(journal: parts.journal, voice: voice)
        door.station = self
    }

    /// The station's name on the wire.
    package nonisolated var name: String { voice.name }

    /// Where clients find the station.
    package nonisolated var controlPath: String { parts.control.path }

    /// Where its console connects; `nil`: `console.enabled` is off.
    package nonisolated var consolePath: String? { parts.console?.path }

    /// Why the station can't go on: its owner then stops it and ends the process. For one reader.
    package nonisolated var failures: AsyncStream<StationError> { voice.failures }

    /// The camera couldn't be stopped: its thread still hangs, so the process mustn't wait for it.
    package var isCameraStuck: Bool { phase == .stoppedWithoutCamera }

    nonisolated var clock: MachineClock { options.clock }

    /// What happened since the station started.
    package var counters: StationCounters {
        var counters = counted
        counters.scans = keeping.scans
        counters.figures = figuresDesk.figures
        counters.notKept = keeping.notKept
        (counters.accepted, counters.refused, counters.unanswered) = (host.accepted, host.refused, host.unanswered)
        counters.torchOn = health.timesTorchOn
        return counters
    }

    var isStopping: Bool { phase != .up }

    // MARK: Life

    /// Opens the control socket, then starts outputs, readers and the camera. Throws when the socket is taken by another
    /// station; everything else that isn't there yet is waited for.
    package func start() async throws {
        try await parts.control.start()
        await parts.dispatcher.start()
        await parts.network.start()
        // The first event of every run, before anything from the parts: nobody listens to them yet.
        voice.publish(state: "started", of: "station", fields: ["version": .string(options.version)])
        // Nothing is read before the journal is open, but the camera needn't wait for that.
        feed(.journalLost)
        // Listeners first, so that a line that is taken at the start is reported once.
        await listen()
        listeners.append(Task { [weak self] in await self?.openJournal() })
        await desk.trial.start(options, settings)
        await desk.socket.serve(in: self)
        await parts.startPeripherals()
        let size = settings.capture.effectiveResolution
        workers.reader.submit { [weak self] reader in
            do { try await reader.start(size: size) } catch { await self?.readersFailed("\(error)") }
        }
        workers.camera.submit { await $0.load() }
        host.loadAllowList()
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
        keeping.tell(.stop, in: self)
        voice.publish(state: "stopping", of: "station")
        feed(.stop)
        timer.cancel()
        desk.stop()
        host.stop()
        figuresDesk.stop()
        await parts.shutDownPeripherals()
        let hasLetGo: Void? = await withTimeLimit(options.cameraTimeout) { [workers, parts] in
            await workers.camera.finish()
            await parts.capture.shutdown()
        }
        if hasLetGo == nil {
            voice.note(.error, kind: "camera", "it can't be stopped; the station ends without waiting for it")
        }
        await workers.reader.finish()
        await parts.reader.stop()
        await workers.torch.finish()
        await parts.keeper.finish()
        for listener in listeners { listener.cancel() }
        voice.finishFailures()
        voice.publish(state: "stopped", of: "station")
        await parts.network.stop()
        await parts.dispatcher.stop(within: options.drainTimeout)
        await host.finishRecording(in: self)
        await figuresDesk.write(in: self)
        await parts.journal.close()
        await parts.console?.stop()
        await parts.control.stop()
        voice.finish()
        phase = hasLetGo == nil ? .stoppedWithoutCamera : .stopped
    }

    /// Events from now on, for the panel; the newest 256 wait for a slow reader.
    package nonisolated func events() -> AsyncStream<Event> { voice.events() }

    // MARK: What the desks use

    /// An event for the machine that happened at `moment`; `nil`: now.
    func feed(_ event: ScanMachine.Event, at moment: Instant? = nil) {
        apply(machine.handle(event, at: moment ?? clock.now))
    }

    /// In this actor's turn: how timers and tasks of the desks come back.
    func run<Result: Sendable>(_ body: @Sendable (isolated Station) async -> Result) async -> Result {
        await body(self)
    }

    // MARK: Inputs: each source's events in their own order, one at a time

    private func listen() async {
        parts.keeper.start { [weak self] outcome in await self?.run { $0.keeping.handle(outcome, in: $0) } }
        listen(to: parts.journalLines) { $0.health.handle($1) }
        listen(to: parts.journal.states) { $0.keeping.handle($1, in: $0) }
        listen(to: parts.reader.results) { $0.handle($1) }
        listen(to: parts.readerNotices) { $0.health.handle($1) }
        listen(to: parts.captureLines) { $0.health.handle($1) }
        listen(to: await parts.capture.notices()) { $0.handle($1) }
        listen(to: await parts.torch.states()) { $0.health.handle($1) }
        listen(to: parts.notices.stream()) { $0.handle($1) }
        listen(to: parts.answers) { $0.host.take($1, in: $0) }
        listen(to: parts.objections) { $0.host.take($1, in: $0) }
        listen(to: parts.dispatcher.receipts) { $0.handle($1) }
        listen(to: parts.dispatcher.errors) { $0.health.handle($1) }
        listen(to: parts.dispatcher.stateChanges) { $0.health.handle(output: $1) }
        listen(to: parts.control.notices) { $0.health.handle($1) }
        if let server = parts.console { listen(to: server.notices) { $0.desk.socket.handle($1) } }
        if let button = parts.triggerButton { listen(to: button.edges) { $0.handle(trigger: $1) } }
        if let button = parts.confirmButton { listen(to: button.edges) { $0.handle(confirm: $1) } }
        look(every: options.pressureInterval, at: { PressureReading.take() }) { $0.health.handle($1) }
        // Doesn't touch the camera's own thread.
        look(every: options.cameraWatchInterval, at: { [parts] in parts.capture.blockedFor }) {
            if !$0.isStopping { $0.cameraAlarm.handle(.looked(blockedFor: $1)) }
        }
    }

    /// One task keeps the source's order; the actor handles one element at a time, to its end.
    private func listen<Element: Sendable>(
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
    private func look<Sight: Sendable>(
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

    private func handle(trigger edge: ButtonEdge) {
        guard !desk.firstPassword.tell(edge.pressed ? .pressed : .released, at: edge.at, in: self) else { return }
        // A person who asks for a scan that couldn't be kept hears that at once.
        if edge.pressed { keeping.tell(.asked, in: self) }
        feed(edge.pressed ? .pressed : .released, at: edge.at)
    }

    private func handle(confirm edge: ButtonEdge) {
        if edge.pressed { feed(.confirm, at: edge.at) }
    }

    private func handle(_ result: ReadResult) {
        health.readersGaveSign()
        let result = desk.firstPassword.withoutCodes(result, in: self)
        tell(unread: .result(result))
        guard result.outcome != .diagnosed else { return }
        if !result.symbols.isEmpty { desk.aim.tell(.codeRead(result.frame.exposedAt), in: self) }
        feed(.read(result))
        let retryAfter = settings.capture.focus.retryAfterFrames
        if focusRetry.handle(result, inSession: machine.sessionID != nil, after: retryAfter) { focus() }
        if health.torch.mode == .auto {
            let lux = result.frame.lux
            let luma = parts.reader.light?.meanLuma
            let at = result.frame.exposedAt
            workers.torch.submit { await $0.light(lux: lux, meanLuma: luma, at: at) }
        }
    }

    /// The panel and clients of the socket always hear of it; outputs nothing new while somebody merely aims.
    private func tell(unread event: UnreadMachine.Event) {
        for case .tell(let codes) in unread.handle(event) {
            let isAwaited = !settings.trigger.mode.isTriggered || machine.sessionID != nil || codes.isEmpty
            voice.publish(
                .unread(UnreadEvent(codes: codes)), toOutputs: settings.reading.reportsUnread && isAwaited)
        }
    }

    private func handle(_ notice: CaptureNotice) {
        switch notice {
        case .state(let state): tell(readiness: .camera(state))
        case .runStarted:
            desk.aim.tell(.changed, in: self)
            workers.torch.submit { await $0.captureRunChanged(isRunning: true) }
        case .runEnded:
            workers.torch.submit { await $0.captureRunChanged(isRunning: false) }
            tell(readiness: .runEnded(isResting: machine.isCameraResting))
        case .interrupted(let failure):
            counted.cameraInterruptions += 1
            voice.note(.warning, kind: "camera", "capture was interrupted: \(failure)")
        case .interruptionEnded: voice.note(.notice, kind: "camera", "capture has resumed")
        case .cameraIsReady:
            cameraAlarm.handle(.delivered)
            tell(readiness: .delivered)
        case .missed(let count): resynchronise(afterMissing: count)
        case .fault(let text):
            voice.complain("camera", "fault", text, .warning)
        case .recoveryExhausted(let failure): cameraAlarm.handle(.recoveryExhausted(failure))
        }
    }

    /// Camera notices were lost. One of them may have been the end of a run, so the torch goes off, and we ask for the state.
    private func resynchronise(afterMissing count: Int) {
        voice.note(.warning, kind: "camera", "\(count) notices from the camera were missed")
        let torch = parts.torch
        workers.camera.submit { [weak self] in
            let report = await $0.report()
            await torch.captureRunChanged(isRunning: report.run != nil)
            await self?.tell(readiness: .camera(report.state))
        }
    }

    func tell(readiness event: ReadinessMachine.Event) {
        for action in readiness.handle(event) { perform(action) }
    }

    private func perform(_ action: ReadinessMachine.Action) {
        switch action {
        case .tell(let state): voice.publish(.state(state.event))
        case .ready(let isReady): parts.feedback.setReady(isReady)
        case .playReady: parts.feedback.play(.ready)
        case .complain(let state):
            parts.feedback.play(.error)
            voice.note(.warning, kind: "camera", state.advice)
        case .cameraLost:
            tell(unread: .stopped(at: clock.now))
            feed(.cameraLost)
        case .cameraBack: feed(.cameraBack)
        }
    }

    func handle(_ notice: PeripheralNotice) { health.handle(notice, in: self) }

    /// A receiver that says no to a scan answers for the host, whatever the kind of output.
    private func handle(_ receipt: ReceiptEvent) {
        if receipt.outcome == .refused {
            host.take(
                HostAnswer(output: receipt.output, scan: receipt.scan, isAccepted: false, reason: receipt.reason),
                in: self)
        }
        voice.publish(.receipt(receipt), toOutputs: false)
    }

    /// Returns when scans are kept, can't be kept, or the station stops.
    func untilKeepingIsDecided() async { await keeping.untilDecided(in: self) }

    private func openJournal() async {
        await keeping.openJournal(in: self)
        await figuresDesk.restore(in: self)
    }

    private func readersFailed(_ problem: String) { health.readersFailed(problem) }

    // MARK: What `ScanMachine` decided, performed in order

    /// Not private, and never inlined: the lab's watchdog scenario holds the shipped program at this function, by its name.
    @inline(never) func apply(_ actions: [ScanMachine.Action]) {
        var accepted: [Event] = []
        for action in actions { perform(action, &accepted) }
        // Codes of one frame share one commit.
        if !accepted.isEmpty { keeping.keep(accepted, in: self) }
    }

    private func perform(_ action: ScanMachine.Action, _ accepted: inout [Event]) {
        switch action {
        case .startSession(let id, let trigger):
            counted.sessions += 1
            // What somebody who aims was told isn't this session's.
            tell(unread: .stopped(at: clock.now))
            figuresDesk.change(in: self) { $0.begin(session: id, at: clock.now, date: clock.date) }
            focusRetry = FocusRetry()
            focus()
            let fields: [String: JSONValue] = ["session": .count(id), "trigger": .string(trigger.rawValue)]
            voice.publish(state: "started", of: "session", fields: fields)
        case .endSession(let id, let outcome):
            count(outcome)
            let end = StateEvent(
                part: "session", state: "ended", reason: outcome.wireName, fields: ["session": .count(id)])
            keeping.tell(.follow(voice.event(.state(end))), in: self)
        case .accept(let sighting):
            figuresDesk.change(in: self) { $0.accept(session: sighting.session, at: clock.now, date: clock.date) }
            accepted.append(event(of: sighting))
            keeping.tell(.accepted, in: self)
        case .noRead(let noRead):
            // The press was for the first password, and that has signals of its own.
            if !desk.firstPassword.isUnderWay { parts.feedback.play(.noRead) }
            // Otherwise something was read.
            let isUnread = noRead.reason == .timeout || noRead.reason == .released
            voice.publish(.noRead(NoReadEvent(noRead, unread: isUnread ? unread.likeliest : nil)))
        case .awaitConfirmation(let symbol):
            parts.feedback.play(.awaitingConfirmation)
            voice.publish(
                state: "waiting", of: "confirmation",
                fields: [
                    "symbology": .string(symbol.symbology.rawValue),
                    "text": shownText(of: symbol).map(JSONValue.string) ?? .null,
                ])
        case .confirmationEnded(let end):
            if end == .confirmed { counted.confirmed += 1 } else { counted.unconfirmed += 1 }
            voice.publish(state: "ended", of: "confirmation", reason: end.rawValue)
        case .reading(let isOn, let effort):
            if !isOn { tell(unread: .stopped(at: clock.now)) }
            workers.reader.submit {
                await $0.setEffort(effort)
                await $0.setPaused(!isOn)
            }
            workers.torch.submit { if isOn { await $0.sessionStarted() } else { await $0.sessionEnded() } }
        case .pending(let isPending): workers.reader.submit { await $0.setPending(isPending) }
        case .camera(let demand): ask(demand)
        case .sightingAppeared, .sightingDisappeared: break
        case .wakeAt(let moment): timer.set(at: moment, in: self) { $0.feed(.tick) }
        }
    }

    /// For states, which are the same for every output and client: without the text of a code that contains a password or a secret.
    private func shownText(of symbol: Symbol) -> String? {
        parts.interpreter.interpret(symbol).holdsSecret ? "(redacted)" : symbol.text
    }

    private func count(_ outcome: SessionOutcome) {
        switch outcome {
        case .scanned: break
        case .noRead(.timeout):
            counted.noReads += 1
            figuresDesk.change(in: self) { $0.noRead(for: unread.likeliest?.cause, date: clock.date) }
        case .noRead(.cameraLost): counted.closedFromError += 1
        case .noRead: counted.closedWithoutScan += 1
        }
    }

    /// The scan as it will be kept; its sequence comes from the journal. The light answers here, the beep when it is on disk.
    private func event(of sighting: AcceptedSighting) -> Event {
        parts.feedback.play(.read)
        let id = UUIDv7(wallNanoseconds: clock.wallNanoseconds, random: .random(in: .min ... .max)).description
        let scan = sighting.scan(id: id, sequence: 0)
        let payload = parts.interpreter.interpret(
            scan.symbol, currentYear: clock.isSynced ? clock.currentYear : nil)
        return voice.event(.scan(ScanEvent(scan: scan, payload: payload)))
    }

    private func ask(_ demand: CameraDemand) {
        let idleRate = settings.capture.idleFrameRate
        let isPaused = machine.isPaused
        workers.camera.submit { capture in
            switch demand {
            case .run:
                await capture.setFrameRate(nil)
                await capture.start()
            case .slow:
                await capture.setFrameRate(idleRate)
                await capture.start()
            case .stop: if isPaused { await capture.suspend() } else { await capture.stop() }
            }
        }
    }

    private func focus() {
        guard settings.capture.focus.mode == .onTrigger else { return }
        workers.camera.submit { await $0.triggerAutofocus() }
    }

    // MARK: Commands

    /// Carries out a client's command. Session commands are handled at once and in order; commands that touch a device wait for it without
    /// holding up the scan loop.
    package func perform(
        _ command: Command, from door: String = "control", client: ClientID? = nil
    ) async -> Reply {
        counted.commands += 1
        do {
            if isStopping { throw CommandRefusal("the station is stopping") }
            return Reply(command: command.name, fields: try await carryOut(command, from: door, client))
        } catch let refusal as SettingsTrialRefusal {
            counted.commandErrors += 1
            let fields = desk.trial.reply(settings).merging(["code": .string(refusal.code)]) { first, _ in first }
            return Reply(command: command.name, error: "\(refusal)", fields: fields)
        } catch {
            counted.commandErrors += 1
            return Reply(command: command.name, error: "\(error)")
        }
    }

    private func carryOut(
        _ command: Command, from door: String, _ client: ClientID?
    ) async throws -> [String: JSONValue] {
        switch command {
        case .status:
            var fields = await status().fields
            // They say whether the door is open, too; the command `lines` is refused there as well.
            if door == StationParts.consoleDoor, !settings.console.door { fields["lines"] = nil }
            return fields
        case .trigger: return try trigger()
        case .release:
            guard machine.sessionID != nil else { throw CommandRefusal("no session is open") }
            feed(.release)
        case .confirm:
            guard machine.waitingSymbol != nil else { throw CommandRefusal("no scan waits for a confirmation") }
            guard settings.confirmation.acceptsCommand else {
                throw CommandRefusal("confirmation.acceptsCommand is off: confirm with the button")
            }
            feed(.confirm)
        case .ack(let id): _ = try find(id)
        case .accept(let id, let relay):
            let scan = try find(id).scan
            return try await host.answer(
                HostAnswer(output: door, scan: scan.id, isAccepted: true, relay: relay), in: self)
        case .refuse(let id, let reason):
            let scan = try find(id).scan
            return try await host.answer(
                HostAnswer(output: door, scan: scan.id, isAccepted: false, reason: reason), in: self)
        case .torch(let mode): try await devices.setTorch(mode)
        case .focus(let point): try await devices.focus(at: point, while: readiness.camera)
        case .camera(let id): switchCamera(to: try await devices.camera(id))
        case .viewport(let viewport): await set(viewport)
        case .pause: pause(true)
        case .resume: pause(false)
        case .relay(let duration): try await devices.pulseRelay(duration)
        case .set(let values): try await set(Self.texts(of: values))
        case .change(let values, let revision, let author):
            return try await desk.trial.change(values, revision: revision, author: author ?? door, in: self)
        case .keep(let revision): return try await desk.trial.keep(revision: revision, in: self)
        case .takeBack: return try await desk.trial.takeBack(in: self)
        case .cameras: return await devices.cameraList()
        case .lines: return devices.lineList()
        // The socket itself keeps each client's filter; it tells us only so that the command is counted.
        case .subscribe: break
        case .hello(let said): return hello(said, from: client)
        case .identify: parts.feedback.play(.identify)
        case .scans(let query): return try await desk.records.scans(query)
        case .scan(let id, let secrets): return try await desk.records.scan(id, secrets: secrets)
        case .sendAgain(let id, let output): return try await desk.records.sendAgain(id, to: output)
        case .testScan(let output): return try desk.records.testScan(of: output, trigger: settings.trigger.mode)
        case .outputs: return await desk.records.outputList(settings.outputs)
        case .doctor: return try await desk.examination.run({ await $0.doctorContext() }, in: self)
        case .schema: return desk.trial.schema(settings)
        case .aim(let request):
            guard request == .off || keeping.isKeeping else {
                throw CommandRefusal("scans can't be kept, so nothing is read: see the journal's state")
            }
            return try desk.aim.set(request, while: readiness.camera, in: self)
        case .firstPassword(let request): return try desk.firstPassword.answer(request, in: self)
        // The sockets that have pictures take it themselves, because the picture follows the reply.
        case .preview: throw CommandRefusal("a picture can't be sent here: ask on the control socket")
        }
        return [:]
    }

    /// The session that is open now: a new one, or the one that was.
    private func trigger() throws -> [String: JSONValue] {
        guard !machine.isPaused else { throw CommandRefusal("the station is paused: send resume first") }
        guard settings.trigger.mode.isTriggered else {
            throw CommandRefusal(
                "trigger.mode is \(settings.trigger.mode.rawValue), which always looks: "
                    + "set trigger.mode to level, pulse or host for sessions")
        }
        guard keeping.isKeeping else {
            guard keeping.isRefusing, let detail = health.journal.detail else {
                throw CommandRefusal("the journal is being opened: try again in a moment")
            }
            keeping.tell(.asked, in: self)
            throw CommandRefusal("no scan can be kept: \(detail)")
        }
        guard !readiness.isCameraLost else {
            let camera = readiness.camera
            throw CommandRefusal("the camera is \(camera.name)\(camera.detail.map { ": \($0)" } ?? "")")
        }
        feed(.trigger)
        return machine.sessionID.map { ["session": .count($0)] } ?? [:]
    }

    private func pause(_ isOn: Bool) {
        guard isOn != machine.isPaused else { return }
        if !isOn { workers.camera.submit { await $0.resume() } }
        feed(isOn ? .pause : .resume)
        voice.publish(state: isOn ? "paused" : "resumed", of: "station")
    }

    private func find(_ id: String?) throws -> ScanEvent {
        guard let id else { throw CommandRefusal("name the scan by its \"id\"") }
        guard let event = host.find(id) else {
            throw CommandRefusal("no scan with the id \(id) among the last \(HostDesk.scanLimit)")
        }
        return event
    }

    private func switchCamera(to id: String) {
        // Remembered, or the next change of another setting would switch back.
        settings.capture.camera = id
        workers.camera.submit { await $0.switchCamera(to: id) }
    }

    /// `hello`: what a console must know of the station.
    private func hello(_ said: ConsoleHello, from client: ClientID?) -> [String: JSONValue] {
        desk.socket.hello(said, from: client)
        let bar = desk.firstPassword.bar(settings)
        let console = settings.console
        let address: JSONValue =
            switch console.address {
            case .automatic: .null
            case .local: "local"
            case .network: "network"
            case .literal(let text): .string(text)
            }
        return [
            "hello": .object([
                "station": .string(name), "version": .string(options.version), "address": address,
                "port": .integer(Int64(console.port)), "names": .array(console.names.map(JSONValue.string)),
                "door": .bool(console.door), "hasTriggerButton": .bool(settings.trigger.button != nil),
                "firstPassword": .object([
                    "open": .bool(bar == nil), "why": bar.map { .string($0) } ?? .null,
                    // A panel's button is on a desk, where nobody expects the page to be in the network.
                    "network": .bool(options.panel == nil),
                ]),
            ])
        ]
    }

    // MARK: The picture

    /// The next picture, with what was read in it. Waits up to a second, without holding up anything else.
    func preview(_ request: PreviewRequest, secrets: SecretPolicy) async -> PreviewReply {
        counted.commands += 1
        do {
            if isStopping { throw CommandRefusal("the station is stopping") }
            guard let preview = try await parts.reader.preview(after: request.after, maxWidth: request.maxWidth) else {
                let fields: [String: JSONValue] = ["preview": .null, "camera": .string(readiness.camera.name)]
                return PreviewReply(Reply(command: "preview", fields: fields))
            }
            let codes = preview.symbols.filter { !$0.isForFirstPassword }.map { code(of: $0, secrets) }
            let form = PreviewForm(preview: preview, codes: codes, unread: unread.toldFrames)
            return PreviewReply(Reply(command: "preview", fields: ["preview": form.json]), pixels: preview.pixels)
        } catch {
            counted.commandErrors += 1
            return PreviewReply(Reply(command: "preview", error: "\(error)"))
        }
    }

    private func code(of symbol: Symbol, _ secrets: SecretPolicy) -> PreviewForm.Code {
        let waiting = machine.waitingSymbol
        return PreviewForm.Code(
            symbol: symbol,
            isWithheld: secrets == .withheld && parts.interpreter.interpret(symbol).holdsSecret,
            scan: host.latest(of: symbol)?.scan.id,
            waits: waiting?.symbology == symbol.symbology && waiting?.bytes == symbol.bytes)
    }

    // MARK: Settings that change while the station runs

    /// Returns once frames are read with it: a trigger that follows must not be answered by a code outside it.
    private func set(_ viewport: Viewport) async {
        settings.capture.viewport = viewport
        tell(unread: .stopped(at: clock.now))
        workers.camera.submit { await $0.setViewport(viewport) }
        await workers.reader.result { await $0.setViewport(viewport) }
    }

    /// All or nothing: with a wrong key or value, none of them changes. Returns the settings right before and right after.
    @discardableResult
    func set(_ values: [String: String]) async throws -> (before: StationSettings, after: StationSettings) {
        var new = try applied(values)
        if values.keys.contains("torch.mode"), let mode = new.torch?.mode {
            try await devices.setTorch(mode)
            // Somebody else may have changed something while the line was driven.
            new = try applied(values)
        }
        let before = settings
        adopt(new)
        return (before, new)
    }

    /// Values as they are written in the file.
    static func texts(of values: [String: JSONValue]) throws(CommandRefusal) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in values {
            switch value {
            case .string(let string): texts[key] = string
            case .integer, .number, .bool: texts[key] = value.description
            default: throw CommandRefusal("\(key): a value is text, a number, true or false")
            }
        }
        return texts
    }

    /// The running settings with these values, if the station could run with them.
    func applied(_ values: [String: String]) throws -> StationSettings {
        let new = try RuntimeSettings.apply(values, to: settings)
        if let problem = options.decoders?.problem(with: new.reading) { throw CommandRefusal(problem) }
        return new
    }

    /// Takes over what may change while the station runs, by the marks on keys in `Configuration`. Returns the parts whose changes wait for
    /// a restart. If the rest can't work with the changes, throws and changes nothing.
    ///
    /// The overlay is read again, too, and laid over; a change that is on trial goes on over both.
    /// - Parameter new: without the overlay.
    package func reload(_ new: StationSettings) async throws -> [String] {
        guard !isStopping else { throw StationError(.unavailable, "the station is stopping") }
        // What needs a restart is checked, too: it could keep the station from starting.
        try new.check(decoders: options.decoders)
        let overlay = await desk.trial.readOverlay()
        guard !isStopping else { throw StationError(.unavailable, "the station is stopping") }
        let laid = overlay?.laid(over: new, decoders: options.decoders) ?? new
        let (merged, waiting) = RuntimeSettings.reload(laid, into: settings)
        try merged.check(decoders: options.decoders)
        if let overlay { desk.trial.tellNotes(overlay.notes(over: new, decoders: options.decoders)) }
        // The file's content may have changed even if its name hasn't.
        defer { host.loadAllowList() }
        let tried = desk.trial.rebase(settings, on: merged, overlay)
        resume(tried)
        voice.publish(
            state: "reloaded", of: "station",
            detail: waiting.isEmpty ? nil : "restart needed for: \(waiting.joined(separator: ", "))")
        return waiting
    }

    /// Adopts settings whose torch mode may be another than before.
    func resume(_ new: StationSettings) {
        let isTorchModeNew = new.torch?.mode != settings.torch?.mode
        adopt(new)
        if isTorchModeNew, let mode = new.torch?.mode { workers.torch.submit { try? await $0.setMode(mode) } }
    }

    /// Tells the parts. Each of `RuntimeSettings.sections` has to be handed here to the parts that it concerns.
    private func adopt(_ new: StationSettings) {
        let old = settings
        // What isn't read was reported by the old ones, and to the outputs that they name.
        if new.reading != old.reading || new.capture != old.capture { tell(unread: .stopped(at: clock.now)) }
        settings = new
        voice.updateLog(level: new.log.level.logger, maxPerSecond: new.log.maxPerSecond)
        cameraAlarm.hangLimit = new.capture.hangLimit
        if new.capture != old.capture { adopt(new.capture, insteadOf: old.capture) }
        if new.reading != old.reading {
            let reading = new.reading
            workers.reader.submit { await $0.setSettings(reading) }
            feed(.symbologies(reading.symbologies))
        }
        if new.trigger != old.trigger { feed(.settings(new.trigger)) }
        host.settings = new.host
        desk.firstPassword.tell(.barred(desk.firstPassword.bar(new) != nil), in: self)
        if new.confirmation != old.confirmation { feed(.confirmation(new.confirmation)) }
        if let torch = new.torch, torch != old.torch {
            workers.torch.submit { await $0.configure(torch) }
        }
    }

    private func adopt(_ new: CaptureSettings, insteadOf old: CaptureSettings) {
        workers.camera.submit { await $0.update(new) }
        workers.reader.submit { reader in
            if new.viewport != old.viewport { await reader.setViewport(new.viewport) }
            if new.viewportMargin != old.viewportMargin { await reader.setMargin(new.viewportMargin) }
            if new.orientation != old.orientation { await reader.setOrientation(new.orientation) }
        }
        if new.idle != old.idle { feed(.idle(new.idle)) }
        if new.idleFrameRate != old.idleFrameRate, machine.cameraDemand == .slow { ask(.slow) }
    }

    // MARK: Status

    /// Everything `ctl status` shows.
    private func status() async -> StationStatus {
        let capture = await captureReport()
        let readers = await parts.reader.counters
        let outputs = await parts.dispatcher.reports()
        let lines = await parts.lineStatuses()
        let control = await parts.control.report()
        var counters = counters
        counters.sightingsOmitted = machine.overflowCount
        counters.inboxDropped = workers.dropped
        let journal = await parts.journal.report()
        return StationStatus(
            name: name, version: options.version, clock: clock, trigger: settings.trigger.mode,
            viewport: settings.capture.viewport, isPaused: machine.isPaused, isSimulated: options.panel != nil,
            place: options.place,
            startedAt: health.startedAt, machine: health.machine, camera: capture, torch: health.torch,
            readers: readers,
            readerProblem: health.readerProblem, journal: journal, outputs: outputs, control: control,
            console: desk.socket.status(hasDoor: settings.console.door), counters: counters,
            trial: desk.trial.reply(settings),
            standing: options.standing, open: host.open(), unread: unread.told, lines: lines, session: openSession,
            awaitingText: awaitingText, lastScan: host.latest?.scan)
    }

    private func doctorContext() async -> DoctorContext {
        DoctorContext(settings: settings, station: .object(await status().fields))
    }

    /// The levels of all lines that the station has or wants.
    package func lineStatuses() async -> [LineStatus] { await parts.lineStatuses() }

    /// The figures that the panel shows.
    package func figures() async -> (capture: CaptureReport?, readers: ReaderCounters, counters: StationCounters) {
        (await captureReport(), await parts.reader.counters, counters)
    }

    /// Reports on the journal and the outputs. If a disk hangs, this returns only when the disk does.
    package func health() async -> (journal: JournalReport, outputs: [OutputReport]) {
        (await parts.journal.report(), await parts.dispatcher.reports())
    }

    /// `nil` while a call into the camera doesn't come back, so that the caller isn't stuck too.
    private func captureReport() async -> CaptureReport? {
        if let blocked = parts.capture.blockedFor, blocked > options.answerPatience { return nil }
        return await withTimeLimit(options.answerPatience) { [parts] in await parts.capture.report() }
    }

    package var torch: TorchStatus { health.torch }
    /// What looks like a code and isn't read, the likeliest first.
    package var unreadCodes: [UnreadCode] { unread.told }
    package var isOnPause: Bool { machine.isPaused }
    package var awaitingConfirmation: Symbol? { machine.waitingSymbol }

    /// The read that waits for its confirmation, in a form that may be shown: without the text of a code that contains a secret.
    package var awaitingText: String? {
        machine.waitingSymbol.map { shownText(of: $0) ?? "(\($0.bytes.count) bytes)" }
    }
    package var openSession: (id: UInt64, trigger: TriggerMode)? {
        machine.sessionID.map { ($0, machine.trigger.mode) }
    }

    /// How many people look at the station through a console now.
    package var viewers: Int { desk.socket.viewers }

    /// Where phones in the network find the console's page; empty while it is for this machine alone.
    package var networkPages: [String] { desk.socket.networkPages }

    // MARK: For the service manager: its watchdog and its status line

    /// The answer to the watchdog's question. It goes the way of results and edges, through the machine, and through the parts that drive
    /// lines and readers: if one of them is stuck, no answer comes.
    ///
    /// Not through the capture controller, which may be in a call into a camera that hangs: `CameraWatch` sees to that.
    func look() async -> (look: WatchdogLook, status: String, works: Bool) {
        feed(.tick)
        _ = await parts.lineStatuses()
        let readers = await parts.reader.counters
        let look = health.look(
            isCameraRunning: readiness.camera == .running && parts.capture.blockedFor == nil, parts.capture.progress,
            readers, deadline: settings.reading.deadline, isKeeping: keeping.hasScansUnderWay,
            isOnTrial: options.standing.isOnTrial)
        // A version whose camera has never run, or is in trouble, may be the reason for that: it hasn't proved itself yet. One that rests may rest.
        let works =
            health.works && (!options.standing.isOnTrial || readiness.hasCameraRun && !readiness.camera.isTrouble)
        return (look, serviceStatus, works)
    }

    var serviceStatus: String {
        health.statusLine(camera: readiness.camera, isPaused: machine.isPaused, scans: counters.scans)
    }

    /// The reader processes, for tests that end them.
    var readerProcesses: [Int32] { get async { await parts.reader.processIDs } }
}
