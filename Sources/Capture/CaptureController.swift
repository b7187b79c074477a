import Glibc
import Linux
import Settings
import Synchronization
import Vocabulary

/// Owns the camera; nothing else talks to it.
///
/// `CameraMachine` decides, this actor performs: `feed` hands it one event at a time and performs the actions in order.
/// Device calls block, so the actor has its own queue; nothing in `feed` awaits, so no event can overtake another.
/// Frames don't pass through here: `FrameRelay` hands them to the sink on the device's thread.
package actor CaptureController {
    /// The lowest reduced frame rate, in frames a second.
    static let lowestFrameRate = 0.1
    /// How many signals from the device may wait here; there are only a few (first frame, ready, faults).
    private static let signalDepth = 256

    private let executor = QueueExecutor(label: "scanstation.capture", qos: .userInitiated)
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var settings: CaptureSettings
    var plan: FocusPlan
    var machine: CameraMachine
    var device: (any CameraDevice)?
    var granted: GrantedSettings?
    var skipped: [SkippedSetting] = []
    private var isFrameRateReduced = false
    /// Set while the station idles slowly; below the configured rate.
    private var frameRateOverride: Double?
    let relay: FrameRelay
    let clock: any CaptureClock
    let log: @Sendable (CaptureLogLine) -> Void

    let system: any CameraSystem
    private let machineBytes: Int
    private let signals: AsyncStream<FrameRelay.Signal>.Continuation
    private let callStarted = Mutex<Instant?>(nil)
    private let frameTimeoutInForce: Mutex<Duration>
    private var observers = ObserverRegistry<CaptureNotice>()
    private var pending: [CameraMachine.Event] = []
    private var isDraining = false
    private var isShutDown = false
    /// Counts starts of the device; signals of an earlier one are dropped.
    private var epoch: UInt64 = 0
    private var runs: UInt64 = 0
    private var restarts: UInt64 = 0
    private var machineWake: Instant?
    private var timer: (at: Instant, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - sink: gets each frame on the camera's thread.
    ///   - system: where cameras come from; `nil`: what `settings.source` says.
    ///   - machineBytes: memory of the machine, for the default budget; `nil`: asked from the kernel.
    package init(
        settings: CaptureSettings, sink: any FrameSink, system: (any CameraSystem)? = nil,
        clock: any CaptureClock = BootClock(), machineBytes: Int? = nil,
        log: @escaping @Sendable (CaptureLogLine) -> Void
    ) {
        self.settings = settings
        self.clock = clock
        self.log = log
        self.system = system ?? CaptureController.makeSystem(settings, log: log)
        self.machineBytes = machineBytes ?? Self.physicalMemory
        plan = FocusPlan(
            settings: settings.focus, viewport: settings.orientation.delivered(fromUpright: settings.viewport.rect))
        var limits = CameraMachine.Limits()
        limits.frameTimeout = Self.frameTimeout(settings, frameRate: settings.effectiveFrameRate)
        limits.retryFirst = settings.retryFirst
        limits.retryMax = settings.retryMax
        machine = CameraMachine(limits: limits)
        frameTimeoutInForce = Mutex(limits.frameTimeout)
        let (stream, continuation) = AsyncStream.makeStream(
            of: FrameRelay.Signal.self, bufferingPolicy: .bufferingNewest(Self.signalDepth))
        signals = continuation
        relay = FrameRelay(
            sink: sink, governor: ShutterGovernor(settings: settings.exposure), signals: continuation)
        self.system.onCameraAdded { continuation.yield(.cameraAdded($0)) }
        Task { [weak self] in
            for await signal in stream { await self?.receive(signal) }
        }
    }

    deinit {
        // A controller that was dropped without `shutdown` must not leave a running camera behind.
        device?.close()
        signals.finish()
        timer?.task.cancel()
    }

    // MARK: Commands

    /// `notLoaded` → `available`, or a state that says why not; tries again by itself.
    package func load() async { command(.load) }

    /// Begins a capture run and keeps one going, through every failure, until `stop`. Loads the camera first if necessary.
    package func start() async { command(.start) }

    /// Ends the capture run; the camera stays configured.
    package func stop() async { command(.stop) }

    /// Releases the camera, so that another process can have it.
    package func suspend() async { command(.suspend) }

    /// Takes it back, and goes on with the capture run if one was wanted.
    package func resume() async { command(.resume) }

    /// Ends everything for good.
    package func shutdown() async {
        guard !isShutDown else { return }
        feed(.shutdown)
        isShutDown = true
        system.shutdown()
        timer?.task.cancel()
        timer = nil
        signals.finish()
    }

    /// Heat, under-voltage or lack of memory: lowers the frame rate (to `capture.idleFrameRate`), and stops capture when the
    /// pressure lasts; `nil` ends it.
    package func systemPressure(_ pressure: SystemPressure?) { command(.pressure(pressure)) }

    // MARK: Observation

    package var state: CameraState { machine.state }

    /// Observers run in order, on this actor, and must not block.
    package func observe(_ callback: @escaping @Sendable (CaptureNotice) -> Void) -> ObserverToken {
        observers.add(callback)
    }

    /// `callback` isn't called after this has returned.
    package func cancel(_ token: ObserverToken) { observers.cancel(token) }

    /// How long the current call into the camera has taken; `nil` when there is none. libcamera's `stop` can hang
    /// after a cable fault, and then only a new process helps: a watchdog should look here.
    package nonisolated var blockedFor: Duration? {
        callStarted.withLock { $0 }.map { $0.duration(to: clock.now) }
    }

    /// From any thread, whatever this actor is doing.
    package nonisolated var progress: CaptureProgress {
        CaptureProgress(
            framesDelivered: relay.counters.delivered, frameTimeout: frameTimeoutInForce.withLock(\.self))
    }

    private func setFrameTimeout(_ timeout: Duration) {
        frameTimeoutInForce.withLock { $0 = timeout }
        command(.frameTimeout(timeout))
    }

    package func report() -> CaptureReport {
        let counters = relay.counters
        var report = CaptureReport(state: machine.state, memoryBudget: budget.bytes)
        report.camera = device?.identity
        report.granted = granted
        report.skipped = skipped
        report.run = machine.run
        report.framesDelivered = counters.delivered
        report.framesDropped = counters.dropped
        report.framesDamaged = counters.damaged
        report.restarts = restarts
        report.runs = runs
        report.memoryNeeded = granted.map { budget.needed(by: $0.memory) }
        report.isShutterCapped = relay.isShutterCapped
        report.newestFrame = counters.newest
        return report
    }

    // MARK: Machine

    func command(_ event: CameraMachine.Event) {
        guard !isShutDown else { return }
        feed(event)
    }

    /// The drain loop. Performing an action may feed further events; they wait their turn.
    private func feed(_ event: CameraMachine.Event) {
        pending.append(event)
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while !pending.isEmpty {
            let next = pending.removeFirst()
            for action in machine.handle(next, at: clock.now) { perform(action) }
        }
    }

    private func perform(_ action: CameraMachine.Action) {
        switch action {
        case .open: open()
        case .close:
            guard let device else { return }
            timed { device.close() }
            self.device = nil
        case .startDevice: startDevice()
        case .stopDevice:
            guard let device else { return }
            timed { device.stop() }
        case .reduceFrameRate(let isReduced):
            isFrameRateReduced = isReduced
            frameRateChanged()
        case .report(let state):
            log(CaptureLogLine(Self.level(of: state), "camera \(state.name)\(Self.explanation(of: state))"))
            notify(.state(state))
        case .runStarted(let id):
            runs += 1
            if machine.isInterrupted { restarts += 1 }
            notify(.runStarted(id))
        case .runEnded(let id, let reason): notify(.runEnded(id, reason))
        case .interrupted(let failure): notify(.interrupted(failure))
        case .interruptionEnded: notify(.interruptionEnded)
        case .recoveryExhausted(let failure):
            log(CaptureLogLine(.error, "the camera doesn't recover (\(failure)); a restart of the station may help"))
            notify(.recoveryExhausted(failure))
        case .wakeAt(let instant):
            machineWake = instant
            setTimer()
        }
    }

    private func open() {
        let wanted = MemoryBudget.Camera.expected(settings.effectiveResolution, hasSensor: settings.source.hasSensor)
        if let reason = budget.refusal(of: wanted, name: settings.preset.rawValue) {
            return feed(.openFailed(.unavailable(reason)))
        }
        do throws(CameraFailure) {
            let opened = try timed { () throws(CameraFailure) in try system.open(id: settings.camera) }
            do throws(CameraFailure) {
                let request = CameraRequest(
                    resolution: settings.effectiveResolution, frameRate: frameRate, sensorMode: settings.sensorMode)
                let granted = try timed { () throws(CameraFailure) in try opened.configure(request) }
                if let reason = budget.refusal(of: granted.memory, name: settings.preset.rawValue) {
                    throw .unavailable(reason)
                }
                opened.listen(relay)
                self.granted = granted
                device = opened
            } catch {
                timed { opened.close() }
                throw error
            }
        } catch {
            return feed(.openFailed(error))
        }
        if let granted, let device {
            let other = granted.insteadOf.map { " at \(granted.frameRateText), which is much more than \($0)" } ?? ""
            log(
                CaptureLogLine(
                    .info, "camera \(device.identity.id) gives \(granted.resolution) \(granted.format)\(other)"))
        }
        feed(.opened)
    }

    private func startDevice() {
        guard let device else { return feed(.startFailed(.unavailable(.disconnected))) }
        epoch += 1
        relay.begin(
            epoch: epoch, readyFrom: clock.now,
            governor: ShutterGovernor(settings: settings.exposure, minimumGain: granted?.minimumGain ?? 1))
        let controls = startControls()
        do throws(CameraFailure) {
            skipped =
                try (granted?.skipped ?? [])
                + timed { () throws(CameraFailure) in try device.start(controls, receiver: relay) }
        } catch {
            return feed(.startFailed(error))
        }
        for setting in skipped { log(CaptureLogLine(.debug, "skipped \(setting)")) }
        feed(.started)
    }

    private func receive(_ signal: FrameRelay.Signal) {
        guard !isShutDown else { return }
        var leftOut = 0
        if case .device(.warning, _) = signal { leftOut = relay.tookWarning() }
        switch signal {
        case .cameraAdded(let id):
            log(CaptureLogLine(.info, "camera \(id) appeared"))
            feed(.cameraAdded)
        case .firstFrame(let epoch) where epoch == self.epoch: feed(.firstFrame)
        case .ready(let epoch) where epoch == self.epoch && machine.run != nil: notify(.cameraIsReady)
        case .exposure(let epoch) where epoch == self.epoch:
            // Uses the relay's current value, not the one at the signal's frame: new settings may have come in between.
            var controls = CameraControls()
            controls.exposure = relay.exposure
            apply(controls)
        case .device(let event, let epoch) where epoch == self.epoch:
            switch event {
            case .fault(let text): feed(.fault(text))
            case .disconnected: feed(.disconnected)
            case .sceneEnded: feed(.sceneEnded)
            case .warning(var text):
                if leftOut > 0 { text += " (and \(leftOut) more)" }
                log(CaptureLogLine(.warning, text))
                notify(.fault(text))
            }
        default: break
        }
    }

    func notify(_ notice: CaptureNotice) {
        for token in observers.tokens { observers.callback(for: token)?(notice) }
    }

    // MARK: Time

    /// One timer for the machine and the focus plan.
    func setTimer() {
        let wake = [machineWake, plan.wakeAt].compactMap { $0 }.min()
        if timer?.at == wake { return }
        timer?.task.cancel()
        timer = wake.map { wake in
            let task = Task { [weak self, clock] in
                guard (try? await clock.wait(until: wake)) != nil else { return }
                await self?.timerFired(for: wake)
            }
            return (wake, task)
        }
    }

    private func timerFired(for wake: Instant) {
        guard timer?.at == wake, !isShutDown else { return }
        timer = nil
        let now = clock.now
        if let machineWake, machineWake <= now {
            self.machineWake = nil
            feed(.wake(lastFrame: relay.counters.newest?.deliveredAt))
        }
        apply(plan.handle(.wake, at: now))
        setTimer()
    }

    /// Records for `blockedFor` that a call into the camera is under way.
    func timed<Value, Failure: Error>(_ call: () throws(Failure) -> Value) throws(Failure) -> Value {
        let now = clock.now
        callStarted.withLock { $0 = now }
        defer { callStarted.withLock { $0 = nil } }
        return try call()
    }

    // MARK: Figures

    private var budget: MemoryBudget {
        .effective(configured: settings.memoryBudgetBytes, machineBytes: machineBytes)
    }

    private static var physicalMemory: Int {
        max(sysconf(Int32(_SC_PHYS_PAGES)), 0) * max(sysconf(Int32(_SC_PAGESIZE)), 0)
    }

    private static func makeSystem(
        _ settings: CaptureSettings, log: @escaping @Sendable (CaptureLogLine) -> Void
    ) -> any CameraSystem {
        switch settings.source {
        case .automatic, .libcamera: FallbackSystem(log: log)
        case .rpicam(let rpicam): RpicamSystem(settings: rpicam)
        case .replay(let replay): ReplaySystem(settings: replay)
        }
    }

    private static func level(of state: CameraState) -> CaptureLogLine.Level {
        switch state {
        case .permissionDenied, .unavailable: .error
        case .inUse, .systemPressure: .warning
        case .notLoaded, .available, .running, .suspended: .info
        }
    }

    private static func explanation(of state: CameraState) -> String {
        switch state {
        case .unavailable(let reason): ": \(reason)"
        case .systemPressure(let kind): ": \(kind.rawValue)"
        default: ""
        }
    }
}

extension CaptureSettings.Source {
    /// Whether frames come from a sensor, with raw buffers behind them.
    var hasSensor: Bool {
        if case .replay = self { false } else { true }
    }
}

// MARK: - Inventory

extension CaptureController {
    /// All cameras of the system this controller uses, the held one included. Blocks this actor for up to a second where
    /// cameras have to be acquired to be described.
    package func inventory() -> CameraInventoryReport {
        var report = CameraInventoryReport()
        // Listing would start libcamera again, and nobody would stop it.
        guard !isShutDown else { return report }
        report.permissionProblem = CameraNodes.scan().permissionProblem
        do throws(CameraFailure) { report.cameras = try system.describe() } catch { report.problem = error }
        // The one that we hold can't be acquired a second time; its device describes it.
        if let device {
            let index = report.cameras.firstIndex { $0.id == device.identity.id }
            var held = index.map { report.cameras[$0] } ?? CameraDescription(identity: device.identity)
            held.problem = nil
            do throws(CameraFailure) { try device.describe(into: &held) } catch { held.problem = error.description }
            if let index { report.cameras[index] = held } else { report.cameras.append(held) }
            report.problem = nil
        }
        return report
    }

    /// Notices from now on, for one reader; the newest 256 wait for a slow reader, which learns how many it `missed`.
    package func notices() -> AsyncStream<CaptureNotice> {
        let queue = NoticeQueue()
        let token = observe { [weak queue] in queue?.add($0) }
        queue.onDrop { [weak self] in
            Task { await self?.cancel(token) }
        }
        return AsyncStream(unfolding: { await queue.next() }, onCancel: { [weak queue] in queue?.finish() })
    }
}

extension CameraSystem {
    /// The cameras that can be described without holding one; none, unless the system says otherwise.
    package func describe() throws(CameraFailure) -> [CameraDescription] { [] }
}

extension CameraDevice {
    /// Nothing to report: pictures can't be unplugged.
    package func listen(_ receiver: any CameraReceiver) {}

    package func describe(into description: inout CameraDescription) throws(CameraFailure) {}
}

extension CameraDescription {
    /// A camera about which nothing more is known.
    init(identity: CameraIdentity) {
        self.init(id: identity.id, model: identity.model, location: "", rotation: 0)
    }
}

// MARK: - Settings

/// Settings that may change while the camera runs. Only choosing another camera ends the capture run.
extension CaptureController {
    /// `cameraIsReady` follows once frames show it.
    package func setViewport(_ viewport: Viewport) async {
        settings.viewport = viewport
        apply(plan.handle(.viewport(delivered(viewport.rect)), at: clock.now))
        relay.expectReady(from: clock.now)
    }

    package func setExposure(_ exposure: ExposureSettings) async {
        settings.exposure = exposure
        relay.setGovernor(ShutterGovernor(settings: exposure, minimumGain: granted?.minimumGain ?? 1))
        apply(exposureControls())
    }

    package func setFocus(_ focus: FocusSettings) async {
        settings.focus = focus
        apply(plan.handle(.settings(focus), at: clock.now))
        setTimer()
    }

    /// Focuses once at a point of the upright frame, then goes back to the focus mode (`FocusPlan.pointHold` later, with the
    /// next trigger, or with `nil`).
    package func focus(at point: Point?) async {
        let delivered = point.map { settings.orientation.delivered(fromUpright: $0) }
        apply(plan.handle(.point(delivered), at: clock.now))
        setTimer()
    }

    /// One autofocus scan, in the focus mode `onTrigger`.
    package func triggerAutofocus() async {
        apply(plan.handle(.trigger, at: clock.now))
        setTimer()
    }

    /// Frames a second from now on; `nil`: as configured.
    package func setFrameRate(_ frameRate: Double?) async {
        frameRateOverride = frameRate
        frameRateChanged()
    }

    package func setZoom(_ zoom: Double) async {
        settings.zoom = zoom
        var controls = CameraControls()
        controls.zoom = zoom
        apply(controls)
    }

    /// Ends the capture run and begins one on the camera whose id is, or begins with, `id`.
    package func switchCamera(to id: String) async {
        settings.camera = id
        command(.reconfigure)
    }

    /// All settings at once (a reread configuration). The camera is configured again only if necessary; another `source` needs another
    /// controller and is ignored.
    package func update(_ new: CaptureSettings) async {
        var new = new
        new.source = settings.source
        let old = settings
        settings = new
        let needsNewConfiguration =
            old.camera != new.camera || old.effectiveResolution != new.effectiveResolution
            || old.sensorMode != new.sensorMode || old.memoryBudgetBytes != new.memoryBudgetBytes
        _ = plan.handle(.viewport(delivered(new.viewport.rect)), at: clock.now)
        let focus = plan.handle(.settings(new.focus), at: clock.now)
        frameRateChanged()
        if (old.retryFirst, old.retryMax) != (new.retryFirst, new.retryMax) {
            command(.backoff(first: new.retryFirst, longest: new.retryMax))
        }
        if needsNewConfiguration {
            command(.reconfigure)
        } else {
            if old.exposure != new.exposure {
                relay.setGovernor(ShutterGovernor(settings: new.exposure, minimumGain: granted?.minimumGain ?? 1))
            }
            var controls = pictureControls()
            if old.sharpness != nil, new.sharpness == nil { controls.sharpness = Self.normalSharpness }
            controls.merge(focus)
            apply(controls)
            relay.expectReady(from: clock.now)
        }
    }

    // MARK: Controls

    /// libcamera's "no change".
    private static let normalSharpness: Float = 1

    /// The frame rate in force.
    var frameRate: Double {
        let wanted = frameRateOverride ?? settings.effectiveFrameRate
        let limited = isFrameRateReduced ? min(wanted, settings.idleFrameRate) : wanted
        return max(limited, Self.lowestFrameRate)
    }

    private func frameRateChanged() {
        setFrameTimeout(Self.frameTimeout(settings, frameRate: frameRate))
        var controls = CameraControls()
        controls.frameRate = frameRate
        apply(controls)
    }

    /// Everything a run starts with.
    private func startControls() -> CameraControls {
        var controls = pictureControls()
        controls.merge(plan.handle(.runStarted, at: clock.now))
        return controls
    }

    /// Everything except the focus. A camera keeps the controls of an earlier run, so "none" is sent too.
    private func pictureControls() -> CameraControls {
        var controls = exposureControls()
        controls.frameRate = frameRate
        controls.zoom = settings.zoom
        controls.noiseReduction = settings.noiseReduction
        controls.sharpness = settings.sharpness
        return controls
    }

    /// Passed to the camera only during a run: `startControls` has everything for the next one.
    func apply(_ controls: CameraControls) {
        guard !controls.isEmpty, machine.run != nil, let device else { return }
        do throws(CameraFailure) {
            let newlySkipped = try timed { () throws(CameraFailure) in try device.apply(controls) }
            for setting in newlySkipped where !skipped.contains(setting) { skipped.append(setting) }
        } catch {
            log(CaptureLogLine(.warning, "a camera setting was refused: \(error)"))
            notify(.fault(error.description))
        }
    }

    /// At least eight frame intervals, because a slow camera isn't dead.
    static func frameTimeout(_ settings: CaptureSettings, frameRate: Double) -> Duration {
        max(settings.frameTimeout, .seconds(8 / max(frameRate, lowestFrameRate)))
    }

    private func exposureControls() -> CameraControls {
        var controls = CameraControls()
        controls.exposure = relay.exposure
        controls.gain = settings.exposure.gain.map { .fixed($0) } ?? .automatic
        controls.metering = settings.exposure.metering
        controls.flicker = settings.exposure.flicker
        return controls
    }

    private func delivered(_ rect: Rect) -> Rect { settings.orientation.delivered(fromUpright: rect) }
}
