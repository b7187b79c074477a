import Capture
import Delivery
import Logging
import Peripherals
import Reading
import ScanCore
import Vocabulary
import Wire

/// What comes in: each source's events in its own order, one at a time.
extension Station {
    /// One task a source keeps the source's order; the actor takes them one at a time.
    func forward() async {
        keeping = Task { [weak self, keeper = parts.keeper] in
            await keeper.run { [weak self] outcome in await self?.handle(outcome) }
        }
        listen(to: parts.journalLines) { station, line in await station.handle(line) }
        listen(to: parts.journal.states) { station, state in await station.handle(state) }
        listen(to: parts.reader.results) { station, result in await station.handle(result) }
        listen(to: parts.readerNotices) { station, notice in await station.handle(notice) }
        listen(to: parts.captureLines) { station, line in await station.handle(line) }
        listen(to: await parts.capture.notices()) { station, notice in await station.handle(notice) }
        listen(to: await parts.torch.states()) { station, status in await station.handle(status) }
        listen(to: parts.notices.stream()) { station, notice in await station.handle(notice) }
        listen(to: parts.answers) { station, answer in await station.handle(answer) }
        listen(to: parts.dispatcher.receipts) { station, receipt in await station.handle(receipt) }
        listen(to: parts.dispatcher.errors) { station, error in await station.handle(error) }
        listen(to: parts.dispatcher.stateChanges) { station, state in await station.handle(output: state) }
        listen(to: control.notices) { station, notice in await station.handle(notice) }
        if let button = parts.triggerButton {
            listen(to: button.edges) { station, edge in
                if edge.pressed { await station.complainIfNotKeeping() }
                await station.feed(edge.pressed ? .pressed : .released, at: edge.at)
            }
        }
        if let button = parts.confirmButton {
            listen(to: button.edges) { station, edge in
                if edge.pressed { await station.feed(.confirm, at: edge.at) }
            }
        }
        forwarders.append(
            Task { [weak self, interval = options.pressureInterval] in
                while !Task.isCancelled {
                    await self?.handle(PressureReading.take())
                    await self?.lookAtClock()
                    try? await Task.sleep(for: interval, clock: .suspending)
                }
            })
        forwarders.append(
            Task { [weak self, interval = options.cameraWatchInterval] in
                while !Task.isCancelled {
                    await self?.lookAtCamera()
                    try? await Task.sleep(for: interval, clock: .suspending)
                }
            })
    }

    private func listen<Element: Sendable>(
        to stream: AsyncStream<Element>, _ body: @escaping @Sendable (Station, Element) async -> Void
    ) {
        forwarders.append(
            Task { [weak self] in
                for await element in stream {
                    guard let self else { return }
                    await body(self, element)
                }
            })
    }

    /// An event for the machine that happened at `moment`.
    func feed(_ event: ScanMachine.Event, at moment: Instant) { apply(machine.handle(event, at: moment)) }

    private func handle(_ result: ReadResult) {
        duties.readerSigns += 1
        apply(machine.handle(.read(result), at: clock.now))
        let retryAfter = settings.capture.focus.retryAfterFrames
        if focusRetry.handle(result, inSession: session != nil, after: retryAfter) { focus() }
        if torchStatus.mode == .auto {
            let lux = result.frame.lux
            let luma = parts.reader.light?.meanLuma
            let at = result.frame.exposedAt
            onTorch { await $0.light(lux: lux, meanLuma: luma, at: at) }
        }
    }

    private func handle(_ notice: ReaderNotice) {
        duties.readerSigns += 1
        log.write(notice.level.log, kind: "reader", notice.message, at: clock.now)
    }

    private func handle(_ notice: CaptureNotice) {
        switch notice {
        case .state(let state): cameraBecame(state)
        case .runStarted: onTorch { await $0.captureRunChanged(isRunning: true) }
        case .runEnded:
            onTorch { await $0.captureRunChanged(isRunning: false) }
            // A camera that rests between sessions is no reason to look out of order: a trigger wakes it.
            showReadiness(
                ofCamera: cameraDemand == .stop && settings.capture.idle == .stop && !isPaused && !isStopping)
        case .interrupted(let failure):
            counters.cameraInterruptions += 1
            log.write(.warning, kind: "camera", "capture was interrupted: \(failure)", at: clock.now)
        case .interruptionEnded: log.write(.notice, kind: "camera", "capture goes on", at: clock.now)
        case .cameraIsReady:
            watch(.delivered)
            showReadiness(ofCamera: true)
        case .missed(let count): resynchronise(afterMissing: count)
        case .fault(let text):
            log.write(.warning, kind: "camera", text, at: clock.now)
            publish(.error(ErrorEvent(part: "camera", code: "fault", message: text)))
        case .recoveryExhausted(let failure): watch(.recoveryExhausted(failure))
        }
    }

    /// Camera notices were lost: one of them may have been the end of a run, so the torch goes off, and the state is asked for.
    func resynchronise(afterMissing count: Int) {
        log.write(.warning, kind: "camera", "\(count) notices of the camera were missed", at: clock.now)
        let torch = parts.torch
        onCamera { [weak self] in
            let report = await $0.report()
            await torch.captureRunChanged(isRunning: report.run != nil)
            await self?.cameraBecame(report.state)
        }
    }

    /// The ready light: a code that is shown now would be read and kept. The first time in a run it is heard, too.
    func showReadiness(ofCamera isCameraReady: Bool? = nil) {
        self.isCameraReady = isCameraReady ?? self.isCameraReady
        let isReady = self.isCameraReady && isKeeping
        parts.feedback.setReady(isReady)
        guard isReady, !wasEverReady else { return }
        wasEverReady = true
        parts.feedback.play(.ready)
    }

    func cameraBecame(_ state: CameraState) {
        guard state != cameraState else { return }
        cameraState = state
        publish(.state(state.event))
        if state.isTrouble {
            showReadiness(ofCamera: false)
            if !isCameraLossTold {
                isCameraLossTold = true
                parts.feedback.play(.error)
                log.write(.warning, kind: "camera", state.advice, at: clock.now)
            }
        }
        if state == .running { isCameraLossTold = false }
        // With `capture.idle: stop` a camera that is back waits for the next session; it doesn't run before.
        guard state.isTrouble != isCameraLost, state.isTrouble || state.isUsable else { return }
        isCameraLost = state.isTrouble
        feed(isCameraLost ? .cameraLost : .cameraBack, at: clock.now)
    }

    private func handle(_ status: TorchStatus) {
        if status.isActive, !torchStatus.isActive { counters.torchOn += 1 }
        let isNews =
            status.isActive != torchStatus.isActive || status.mode != torchStatus.mode
            || status.isAvailable != torchStatus.isAvailable
        torchStatus = status
        if isNews { publish(.state(status.event)) }
    }

    func handle(_ notice: PeripheralNotice) async {
        switch notice {
        case .lost(let role, let message):
            log.write(.warning, kind: "line.\(role)", message, at: clock.now)
            publish(.state(StateEvent(part: "line.\(role)", state: "lost", detail: message)))
        case .recovered(let role):
            log.write(.notice, kind: "line.\(role)", "the line is ours again", at: clock.now)
            publish(.state(StateEvent(part: "line.\(role)", state: "held")))
        case .missed(let count): await tellLines(afterMissing: count)
        }
    }

    /// Notices of lines were lost: each line's state is told again.
    private func tellLines(afterMissing count: Int) async {
        log.write(.warning, kind: "lines", "\(count) notices of lines were missed", at: clock.now)
        for status in await lineStatuses() {
            publish(
                .state(
                    StateEvent(
                        part: "line.\(status.role)", state: status.isHeld ? "held" : "lost", detail: status.problem)))
        }
    }

    /// A receiver that says no to a scan answers for the host, whatever the kind of output.
    private func handle(_ receipt: ReceiptEvent) {
        if receipt.outcome == .refused {
            handle(
                HostAnswer(output: receipt.output, scan: receipt.scan, isAccepted: false, reason: receipt.reason))
        }
        publish(.receipt(receipt), toOutputs: false)
    }

    /// A clock that was set at last is a reason to try again: certificates are valid by it.
    private func lookAtClock() {
        let isSynced = clock.isSynced
        if isSynced, !wasClockSynced { parts.dispatcher.conditionsChanged() }
        wasClockSynced = isSynced
    }

    /// An output gave up a scan. Sockets and panel are told; the outputs have troubles of their own.
    private func handle(_ error: ErrorEvent) {
        log.write(.error, kind: error.part, error.message, at: clock.now)
        publish(.error(error), toOutputs: false)
    }

    private func handle(_ line: CaptureLogLine) { log.write(line.level.log, kind: "capture", line.text, at: clock.now) }

    private func handle(_ notice: ControlNotice) {
        let (level, text) = notice.logLine
        log.write(level, kind: "control", text, at: clock.now)
    }

    private func handle(output state: StateEvent) {
        publish(.state(state))
        let problem = state.detail.map { ": \($0)" } ?? ""
        switch OutputState(rawValue: state.state) {
        case .waiting, .stalled, .failed:
            troubledOutputs.insert(state.part)
            log.write(.warning, kind: state.part, "\(state.state)\(problem)", at: clock.now)
        case .ready where troubledOutputs.remove(state.part) != nil:
            log.write(.notice, kind: state.part, "works again", at: clock.now)
        case .idle, .connecting, .ready, .stopped, nil: break
        }
    }

    func readersFailed(_ problem: String) {
        readerProblem = problem
        let text = "frames can't be read: \(problem)"
        log.write(.error, kind: "reader", text, at: clock.now)
        publish(.error(ErrorEvent(part: "reader", code: "cannotStart", message: text)))
    }

    /// Now and then: the machine's health.
    private func handle(_ reading: PressureReading) {
        guard let change = pressure.handle(reading) else { return }
        log.write(
            change == nil ? .notice : .warning, kind: "pressure",
            change.map { "system pressure: \($0.rawValue)" } ?? "system pressure is over", at: clock.now)
        onCamera { await $0.systemPressure(change) }
        onTorch { await $0.setSystemPressure(change != nil) }
    }
}
