import Glibc
import Payloads
import Peripherals
import Station
import Vocabulary
import Wire

/// The panel on a terminal: shows what the station does and what is wrong with it. With simulated lines it presses their buttons, too.
@MainActor
final class PanelSession {
    /// Twenty pictures a second.
    static let interval: Duration = .milliseconds(50)
    /// Real lines have to be asked for their levels.
    static let linesInterval: Duration = .milliseconds(100)
    static let healthInterval: Duration = .milliseconds(250)
    /// A journal or an output that doesn't answer for this long is said to hang.
    static let healthPatience: Duration = .seconds(3)
    static let scansKept = 100
    static let noticeTime: Duration = .seconds(4)
    /// What went wrong stays longer, because nobody looks all the time.
    static let troubleTime: Duration = .seconds(15)
    static let freshTime: Duration = .milliseconds(800)

    private let station: Station
    /// `nil`: the lines are real ones.
    private let panel: SimulatedPanel?
    private let buttons: PanelButtons
    private let terminal: Terminal
    private let log: PanelLog
    private let console: ConsoleProcess?
    private let clock = ContinuousClock()
    private var model = PanelModel()
    private var failure: StationError?
    private var lamps: PanelLamps
    private var troubles = PanelTroubles()
    private var isHealthAskedSince: ContinuousClock.Instant?
    private var isTriggerHeld = false
    /// By the key that holds the button in every mode.
    private var isButtonHeld = false
    private var noticeEnds: ContinuousClock.Instant?
    private var freshEnds: ContinuousClock.Instant?

    init(
        station: Station, panel: SimulatedPanel?, terminal: Terminal, log: PanelLog, note: String?,
        console: ConsoleProcess? = nil
    ) {
        self.station = station
        self.panel = panel
        buttons = PanelButtons(station: station, panel: panel)
        self.terminal = terminal
        self.log = log
        self.console = console
        lamps = PanelLamps(panel?.lines ?? [])
        model.version = StationVersion.text
        if let note { show(note, for: Self.troubleTime) }
    }

    /// Runs until q, the end of standard input, a signal, or a fault that the station can't recover from, which it returns.
    func run(until signals: ProcessSignals) async -> StationError? {
        let events = station.events()
        let changes = panel?.changes()
        lamps = PanelLamps(panel?.lines ?? [])
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { [station] in
                for await arrival in RunArrival.stream(signals, station) {
                    if case .failure(let failure) = arrival { await self.end(with: failure) }
                    break
                }
                return true
            }
            group.addTask {
                await self.followKeys()
                return true
            }
            group.addTask {
                await self.follow(events)
                return false
            }
            group.addTask {
                if let changes { await self.follow(changes) } else { await self.followLines() }
                return false
            }
            group.addTask {
                await self.followHealth()
                return false
            }
            group.addTask {
                await self.redraw()
                return false
            }
            for await isEnd in group where isEnd { break }
            group.cancelAll()
        }
        return failure
    }

    /// What stays on the screen after the panel is gone.
    func summary() -> [String] {
        PanelSummary.lines(model, columns: terminal.size.columns, paint: Paint(isColoured: terminal.isColoured))
    }

    private func end(with failure: StationError) { self.failure = failure }

    // MARK: Keys

    private func followKeys() async {
        for await key in terminal.keys {
            model.notice = nil
            switch key {
            case UInt8(ascii: " "): await pressTrigger()
            case UInt8(ascii: "h") where panel != nil: await holdTrigger()
            // At a real station there are the configuration and `ctl set`.
            case UInt8(ascii: "m") where panel != nil: await nextMode()
            case UInt8(ascii: "t"): await perform(.torch(station.torch.mode == .off ? .on : .off))
            case UInt8(ascii: "c"): await pressConfirm()
            case UInt8(ascii: "p"): await perform(station.isOnPause ? .resume : .pause)
            case UInt8(ascii: "q"), 3, 4: return
            default: break
            }
        }
    }

    /// A terminal reports presses, not releases: in level mode one press holds, the next releases.
    private func pressTrigger() async {
        let mode = await station.settings.trigger.mode
        guard await !station.isOnPause else { return show("paused; press p to resume") }
        switch mode {
        case .level:
            isTriggerHeld.toggle()
            tell(isTriggerHeld ? await buttons.press(.trigger) : await buttons.release(.trigger))
        case .pulse:
            tell(await buttons.press(.trigger))
            if panel != nil { tell(await buttons.release(.trigger)) }
        case .host:
            // No button starts a session there; the host does, so the panel stands in for the host, too.
            await perform(.trigger)
        case .presentation, .continuous:
            show("\(mode.rawValue) mode is always looking and needs no trigger; m changes the mode")
        }
    }

    /// The simulated button itself, whatever the mode: down until the key is pressed again. The first password is asked for by a long press.
    private func holdTrigger() async {
        isButtonHeld.toggle()
        tell(isButtonHeld ? await buttons.press(.trigger) : await buttons.release(.trigger))
    }

    private func nextMode() async {
        let modes = TriggerMode.allCases
        let mode = await station.settings.trigger.mode
        let next = modes[((modes.firstIndex(of: mode) ?? 0) + 1) % modes.count]
        await releaseTrigger()
        if await perform(.set(["trigger.mode": .string(next.rawValue)])) { show("\(next.rawValue) mode: \(next.hint)") }
    }

    private func releaseTrigger() async {
        guard isTriggerHeld else { return }
        isTriggerHeld = false
        tell(await buttons.release(.trigger))
    }

    private func pressConfirm() async {
        guard await station.awaitingConfirmation != nil else { return show("no scan waits for a confirmation") }
        tell(await buttons.press(.confirm))
        if panel != nil { tell(await buttons.release(.confirm)) }
    }

    /// Whether the station did it; if not, the notice says why.
    @discardableResult
    private func perform(_ command: Command) async -> Bool {
        let reply = await station.perform(command)
        tell(reply.error)
        return reply.error == nil
    }

    private func tell(_ error: String?) {
        if let error { show(error, isTrouble: true) }
    }

    private func show(_ notice: String, isTrouble: Bool = false, for time: Duration? = nil) {
        model.notice = PanelModel.Notice(text: TerminalText.escape(notice), isTrouble: isTrouble)
        noticeEnds = clock.now.advanced(by: time ?? (isTrouble ? Self.troubleTime : Self.noticeTime))
    }

    // MARK: Events

    private func follow(_ events: AsyncStream<Event>) async {
        for await event in events {
            switch event.body {
            case .scan(let scan): add(scan, at: event.stamp.wallNanoseconds)
            case .error(let error): show(error.message, isTrouble: true)
            case .noRead(let noRead):
                let unread = noRead.unread.map { ": \($0.textWithAdvice)" } ?? ""
                show("no read: \(noRead.reason.rawValue)\(unread)")
            case .receipt(let receipt) where !receipt.isAccepted:
                let reason = receipt.reason.map { ": \($0)" } ?? ""
                show("\(receipt.output): scan \(receipt.sequence) \(receipt.outcome.rawValue)\(reason)")
            case .answer(let answer): show(answer)
            case .unread(let event):
                let others = event.codes.count - 1
                model.unread = event.codes.first.map {
                    PanelModel.Trouble(
                        subject: "not read", text: $0.textWithAdvice + (others > 0 ? "; and \(others) more" : ""))
                }
            case .state(let state) where state.part == "firstPassword":
                if let detail = state.detail { show("first password: \(detail)", for: Self.troubleTime) }
            case .state, .receipt: break
            }
        }
    }

    private func show(_ answer: AnswerEvent) {
        switch answer.verdict {
        case .none: show("#\(answer.sequence): no host answered in time", isTrouble: true)
        case .accepted, .refused:
            let reason = answer.reason.map { ": \($0)" } ?? ""
            show("#\(answer.sequence) \(answer.verdict.rawValue) by \(answer.by ?? "the host")\(reason)")
        }
    }

    private func follow(_ changes: AsyncStream<PanelChange>) async {
        for await change in changes { lamps.handle(change, lines: { panel?.lines ?? [] }) }
    }

    // Whatever may hang in a device or on a disk has a task of its own, so that the picture goes on.

    private func followLines() async {
        while !Task.isCancelled {
            lamps.look(at: await station.lineStatuses())
            try? await Task.sleep(for: Self.linesInterval)
        }
    }

    private func followHealth() async {
        while !Task.isCancelled {
            isHealthAskedSince = clock.now
            let (journal, outputs) = await station.health()
            isHealthAskedSince = nil
            model.troubles = troubles.look(at: journal, outputs, now: clock.now)
            model.isBlocked = !journal.state.isAccepting && journal.state != .closed
            try? await Task.sleep(for: Self.healthInterval)
        }
    }

    private func lookForHang() {
        guard let since = isHealthAskedSince, since.duration(to: clock.now) >= Self.healthPatience else { return }
        model.troubles = [
            PanelModel.Trouble(
                subject: "journal", text: "doesn't answer: a call to its disk hasn't come back yet", isGrave: true)
        ]
    }

    private func add(_ scan: ScanEvent, at wallNanoseconds: Int64) {
        if model.scans.count == Self.scansKept { model.scans.removeFirst() }
        let symbol = scan.scan.symbol
        let text: String =
            switch scan.payload {
            // Nobody who looks over a shoulder should read a password.
            case .wifi(let network): "network \(TerminalText.escape(network.ssid))"
            case .otp: "(a one-time password's key)"
            case .secret(let secret): "(a secret: \(secret.format.rawValue))"
            case .url(let link) where link.credential != nil: TerminalText.escape(link.url)
            default: symbol.text.map { TerminalText.escape($0) } ?? "(\(symbol.bytes.count) bytes that aren't text)"
            }
        model.scans.append(
            PanelModel.ScanLine(
                time: Self.localTime(wallNanoseconds), symbology: symbol.symbology.rawValue, kind: scan.payload.kind,
                text: text))
        freshEnds = clock.now.advanced(by: Self.freshTime)
    }

    /// `hh:mm:ss` where the terminal is.
    private static func localTime(_ wallNanoseconds: Int64) -> String {
        var seconds = time_t(wallNanoseconds / 1_000_000_000)
        var date = tm()
        localtime_r(&seconds, &date)
        return [date.tm_hour, date.tm_min, date.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    // MARK: Picture

    private func redraw() async {
        while !Task.isCancelled {
            await refresh()
            let (columns, rows) = terminal.size
            terminal.draw(PanelScreen.render(model, columns: columns, rows: rows, isColoured: terminal.isColoured))
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func refresh() async {
        if let line = log.take() { show(line, isTrouble: true) }
        if let end = noticeEnds, clock.now >= end || isShownAnyway(model.notice) {
            noticeEnds = nil
            model.notice = nil
        }
        lookForHang()
        model.isNewestFresh = freshEnds.map { clock.now < $0 } ?? false
        let (capture, readers, counters) = await station.figures()
        let settings = await station.settings
        model.name = station.name
        model.isPaused = await station.isOnPause
        model.camera = capture?.state.name ?? "blocked"
        model.isCameraRunning = capture?.state == .running
        model.trouble = capture == nil ? "a call into the camera hasn't come back yet" : capture?.state.detail
        var figures: [String] = []
        if let granted = capture?.granted {
            figures = ["\(granted.resolution)", "\(Int(granted.frameRate.rounded())) fps"]
        }
        if let label = capture?.newestFrame?.label { figures.append(label) }
        model.cameraFigures = model.isPaused ? "" : figures.joined(separator: "  ")
        let session = await station.openSession
        let mode = settings.trigger.mode
        if isTriggerHeld, mode != .level { await releaseTrigger() }
        model.mode = mode.rawValue
        model.isReading = session != nil
        let reading = session.map { "session \($0.id) is reading" }
        model.activity =
            isTriggerHeld || isButtonHeld
            ? [reading, "held; press \(isButtonHeld ? "h" : "space") to release"].compactMap(\.self)
                .joined(separator: "; ")
            : reading ?? mode.hint
        model.pending = await station.awaitingText.map { TerminalText.escape($0) }
        model.console = PanelModel.console(
            at: console?.address, inNetwork: await station.networkPages, viewers: await station.viewers)
        model.lamps = lamps.picture(torch: await station.torch.mode)
        model.keys = keys(mode, hasTorch: settings.torch != nil)
        model.counters =
            [
                .count(counters.scans, "scan", "scans"), .count(counters.noReads, "no-read", "no-reads"),
                .count(counters.sessions, "session", "sessions"), .count(readers.delivered, "frame", "frames"),
                .count(readers.read, "read", "read"),
                .count(readers.gatedUnchanged + readers.gatedBlank, "unchanged", "unchanged"),
                .count(readers.droppedBusy, "dropped", "dropped"),
                .count(readers.crashed + readers.timedOut, "crashed", "crashed"),
            ] + (settings.torch == nil ? [] : [lit(counters.torchOn)])
    }

    /// Whether a log line is about something that has a line of its own while it lasts.
    private func isShownAnyway(_ notice: PanelModel.Notice?) -> Bool {
        guard let notice, notice.isTrouble else { return false }
        return model.troubles.contains { $0.reason.map(notice.text.hasSuffix) ?? false }
    }

    private func lit(_ count: UInt64) -> PanelModel.Counter {
        switch count {
        case 0: PanelModel.Counter(before: "torch ", value: "never", after: " lit")
        case 1: PanelModel.Counter(before: "torch lit ", value: "once")
        default: PanelModel.Counter(before: "torch lit ", value: "\(count)", after: " times")
        }
    }

    /// The keys that do something here.
    private func keys(_ mode: TriggerMode, hasTorch: Bool) -> [PanelModel.Key] {
        var keys: [(String, String)] = []
        let isSimulated = panel != nil
        if isSimulated || mode.isTriggered { keys.append(("space", "trigger")) }
        if isSimulated { keys += [("h", isButtonHeld ? "release" : "hold"), ("m", "mode")] }
        if hasTorch { keys.append(("t", "torch")) }
        if isSimulated || model.pending != nil { keys.append(("c", "confirm")) }
        keys += [("p", model.isPaused ? "resume" : "pause"), ("q", "quit")]
        return keys.map { PanelModel.Key(key: $0.0, action: $0.1) }
    }
}

extension TriggerMode {
    /// What a person at the panel does in this mode.
    fileprivate var hint: String {
        switch self {
        case .presentation: "always looking; each code once"
        case .continuous: "always looking; codes that stay are repeated"
        case .level: "press space to hold the trigger"
        case .pulse: "space starts a session"
        case .host: "space stands in for the host's trigger"
        }
    }
}
