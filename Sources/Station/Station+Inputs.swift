import Capture
import Control
import Delivery
import Logging
import Peripherals
import Reading
import ScanCore
import Vocabulary
import Wire

/// The inputs: each source's events in their own order, one at a time.
extension Station {
    func listen() async {
        parts.keeper.start { [weak self] outcome in await self?.handle(outcome) }
        listen(to: parts.journalLines) { $0.handle($1) }
        listen(to: parts.journal.states) { $0.handle($1) }
        listen(to: parts.reader.results) { $0.handle($1) }
        listen(to: parts.readerNotices) { $0.handle($1) }
        listen(to: parts.captureLines) { $0.handle($1) }
        listen(to: await parts.capture.notices()) { $0.handle($1) }
        listen(to: await parts.torch.states()) { $0.handle($1) }
        listen(to: parts.notices.stream()) { $0.handle($1) }
        listen(to: parts.answers) { $0.handle($1) }
        listen(to: parts.dispatcher.receipts) { $0.handle($1) }
        listen(to: parts.dispatcher.errors) { $0.handle($1) }
        listen(to: parts.dispatcher.stateChanges) { $0.handle(output: $1) }
        listen(to: parts.control.notices) { $0.handle($1) }
        if let console = parts.console { listen(to: console.notices) { $0.handle(console: $1) } }
        if let button = parts.triggerButton { listen(to: button.edges) { $0.handle(trigger: $1) } }
        if let button = parts.confirmButton { listen(to: button.edges) { $0.handle(confirm: $1) } }
        look(every: options.pressureInterval, at: { PressureReading.take() }) { $0.handle($1) }
        // Doesn't touch the camera's own thread.
        look(every: options.cameraWatchInterval, at: { [parts] in parts.capture.blockedFor }) {
            if !$0.isStopping { $0.watch(.looked(blockedFor: $1)) }
        }
    }

    private func handle(trigger edge: ButtonEdge) {
        guard !tell(firstPassword: edge.pressed ? .pressed : .released, at: edge.at) else { return }
        // A person who asks for a scan that couldn't be kept hears that at once.
        if edge.pressed { tell(keeping: .asked) }
        feed(edge.pressed ? .pressed : .released, at: edge.at)
    }

    private func handle(confirm edge: ButtonEdge) {
        if edge.pressed { feed(.confirm, at: edge.at) }
    }

    private func handle(_ result: ReadResult) {
        health.readersGaveSign()
        let result = withoutFirstPasswordCodes(result)
        tell(unread: .result(result))
        guard result.outcome != .diagnosed else { return }
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

    /// The panel and clients of the socket always hear of it.
    func tell(unread event: UnreadMachine.Event) {
        for case .tell(let codes) in unread.handle(event) {
            publish(.unread(UnreadEvent(codes: codes)), toOutputs: settings.reading.reportsUnread)
        }
    }

    private func handle(_ notice: ReaderNotice) {
        health.readersGaveSign()
        note(notice.level.log, kind: "reader", notice.message)
    }

    private func handle(_ notice: CaptureNotice) {
        switch notice {
        case .state(let state): tell(readiness: .camera(state))
        case .runStarted: workers.torch.submit { await $0.captureRunChanged(isRunning: true) }
        case .runEnded:
            workers.torch.submit { await $0.captureRunChanged(isRunning: false) }
            tell(readiness: .runEnded(isResting: machine.isCameraResting))
        case .interrupted(let failure):
            counters.cameraInterruptions += 1
            note(.warning, kind: "camera", "capture was interrupted: \(failure)")
        case .interruptionEnded: note(.notice, kind: "camera", "capture has resumed")
        case .cameraIsReady:
            watch(.delivered)
            tell(readiness: .delivered)
        case .missed(let count): resynchronise(afterMissing: count)
        case .fault(let text):
            complain("camera", "fault", text, .warning)
        case .recoveryExhausted(let failure): watch(.recoveryExhausted(failure))
        }
    }

    /// Camera notices were lost. One of them may have been the end of a run, so the torch goes off, and we ask for the state.
    func resynchronise(afterMissing count: Int) {
        note(.warning, kind: "camera", "\(count) notices from the camera were missed")
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
        case .tell(let state): publish(.state(state.event))
        case .ready(let isReady): parts.feedback.setReady(isReady)
        case .playReady: parts.feedback.play(.ready)
        case .complain(let state):
            parts.feedback.play(.error)
            note(.warning, kind: "camera", state.advice)
        case .cameraLost:
            tell(unread: .stopped(at: clock.now))
            feed(.cameraLost)
        case .cameraBack: feed(.cameraBack)
        }
    }

    private func handle(_ status: TorchStatus) {
        if status.isActive, !health.torch.isActive { counters.torchOn += 1 }
        let isNews =
            status.isActive != health.torch.isActive || status.mode != health.torch.mode
            || status.isAvailable != health.torch.isAvailable
        health.torch = status
        if isNews { publish(.state(status.event)) }
    }

    func handle(_ notice: PeripheralNotice) {
        switch notice {
        case .lost(let role, let message):
            note(.warning, kind: "line.\(role)", message)
            publish(state: "lost", of: "line.\(role)", detail: message)
        case .recovered(let role):
            note(.notice, kind: "line.\(role)", "the line is ours again")
            publish(state: "held", of: "line.\(role)")
        case .missed(let count):
            note(.warning, kind: "lines", "\(count) notices about lines were missed")
            Task { await tellLines() }
        }
    }

    /// Notices about lines were lost: each line's state is reported again.
    private func tellLines() async {
        for status in await lineStatuses() {
            publish(state: status.isHeld ? "held" : "lost", of: "line.\(status.role)", detail: status.problem)
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

    /// An output gave up a scan. Sockets and panel hear about it; the outputs don't need to.
    private func handle(_ error: ErrorEvent) {
        note(.error, kind: error.part, error.message)
        publish(.error(error), toOutputs: false)
    }

    private func handle(_ line: CaptureLogLine) { note(line.level.log, kind: "capture", line.text) }

    private func handle(_ notice: ControlNotice) {
        let (level, text) = notice.logLine
        note(level, kind: "control", text)
    }

    private func handle(output state: StateEvent) {
        publish(.state(state))
        guard let line = health.handle(output: state) else { return }
        note(line.level, kind: state.part, line.text)
    }

    func readersFailed(_ problem: String) {
        health.readersFailed(problem)
        let text = "frames can't be read: \(problem)"
        complain("reader", "cannotStart", text)
    }

    private func handle(_ reading: PressureReading) {
        // When the clock is finally set, it is worth trying again: certificates are valid by it.
        if health.clockIs(synced: clock.isSynced) { parts.dispatcher.conditionsChanged() }
        guard let change = health.handle(reading) else { return }
        note(
            change == nil ? .notice : .warning, kind: "pressure",
            change.map { "system pressure: \($0.rawValue)" } ?? "system pressure is over")
        workers.camera.submit { await $0.systemPressure(change) }
        workers.reader.submit { await $0.setUnderPressure(change != nil) }
        workers.torch.submit { await $0.setSystemPressure(change != nil) }
    }
}
