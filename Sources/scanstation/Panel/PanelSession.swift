import Glibc
import Payloads
import Peripherals
import ScanCore
import Station
import Wire

/// The desk's panel on a terminal: shows what the simulated lines do, and presses their buttons.
@MainActor
final class PanelSession {
    /// Twenty pictures a second.
    static let interval: Duration = .milliseconds(50)
    static let scansKept = 100
    static let noticeTime: Duration = .seconds(4)
    /// What went wrong stays longer, as nobody looks all the time.
    static let troubleTime: Duration = .seconds(15)
    static let freshTime: Duration = .milliseconds(800)

    private let station: Station
    private let panel: SimulatedPanel
    private let terminal: Terminal
    private let log: PanelLog
    private let clock = ContinuousClock()
    private var model = PanelModel()
    private var failure: StationError?
    private var lamps: PanelLamps
    private var isTriggerHeld = false
    private var noticeEnds: ContinuousClock.Instant?
    private var freshEnds: ContinuousClock.Instant?

    init(station: Station, panel: SimulatedPanel, terminal: Terminal, log: PanelLog, note: String?) {
        self.station = station
        self.panel = panel
        self.terminal = terminal
        self.log = log
        lamps = PanelLamps(panel.lines)
        model.version = StationVersion.text
        if let note { show(note, for: Self.troubleTime) }
    }

    /// Until q, the end of standard input, a signal, or a fault that the station can't go on with, which is returned.
    func run(until signals: ProcessSignals) async -> StationError? {
        let events = await station.events()
        let changes = panel.changes()
        lamps = PanelLamps(panel.lines)
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
                await self.follow(changes)
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

    private func end(with failure: StationError) { self.failure = failure }

    // MARK: Keys

    private func followKeys() async {
        for await key in terminal.keys {
            model.notice = nil
            switch key {
            case UInt8(ascii: " "): await pressTrigger()
            case UInt8(ascii: "m"): await nextMode()
            case UInt8(ascii: "t"): await perform(.torch(station.torch.mode == .off ? .on : .off))
            case UInt8(ascii: "c"): await pressConfirm()
            case UInt8(ascii: "p"): await perform(station.isOnPause ? .resume : .pause)
            case UInt8(ascii: "q"), 3, 4: return
            default: break
            }
        }
    }

    /// A terminal tells of presses, not of releases: in level mode one press holds, the next lets go.
    private func pressTrigger() async {
        let mode = await station.settings.trigger.mode
        guard await !station.isOnPause else { return show("the station is paused: p goes on") }
        switch mode {
        case .level:
            isTriggerHeld.toggle()
            if isTriggerHeld { panel.press(.trigger) } else { panel.release(.trigger) }
        case .pulse:
            panel.press(.trigger)
            panel.release(.trigger)
        case .host:
            // No button starts a session there; the host does, so the panel stands in for that one, too.
            await perform(.trigger)
        case .presentation, .continuous:
            show("\(mode.rawValue) mode is always looking and needs no trigger; m changes the mode")
        }
    }

    private func nextMode() async {
        let modes = TriggerMode.allCases
        let mode = await station.settings.trigger.mode
        let next = modes[((modes.firstIndex(of: mode) ?? 0) + 1) % modes.count]
        letGo()
        if await perform(.set(["trigger.mode": .string(next.rawValue)])) { show("\(next.rawValue) mode: \(next.hint)") }
    }

    private func letGo() {
        guard isTriggerHeld else { return }
        isTriggerHeld = false
        panel.release(.trigger)
    }

    private func pressConfirm() async {
        guard await station.awaitingConfirmation != nil else { return show("no scan waits for a confirmation") }
        panel.press(.confirm)
        panel.release(.confirm)
    }

    /// Whether the station did it; else the notice says why not.
    @discardableResult
    private func perform(_ command: Command) async -> Bool {
        let reply = await station.perform(command)
        if let error = reply.error { show(error, isTrouble: true) }
        return reply.error == nil
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
            case .noRead(let noRead): show("no read: \(noRead.reason.rawValue)")
            case .receipt(let receipt) where !receipt.isAccepted:
                let reason = receipt.reason.map { ": \($0)" } ?? ""
                show("\(receipt.output): scan \(receipt.sequence) \(receipt.outcome.rawValue)\(reason)")
            case .answer(let answer): show(answer)
            case .state, .receipt: break
            }
        }
    }

    private func show(_ answer: AnswerEvent) {
        switch answer.verdict {
        case .none: show("no host answered scan \(answer.sequence) in time", isTrouble: true)
        case .accepted, .refused:
            let reason = answer.reason.map { ": \($0)" } ?? ""
            show("\(answer.by ?? "the host"): scan \(answer.sequence) \(answer.verdict.rawValue)\(reason)")
        }
    }

    private func follow(_ changes: AsyncStream<PanelChange>) async {
        for await change in changes { lamps.handle(change, lines: { panel.lines }) }
    }

    private func add(_ scan: ScanEvent, at wallNanoseconds: Int64) {
        if model.scans.count == Self.scansKept { model.scans.removeFirst() }
        let symbol = scan.scan.symbol
        let text: String =
            switch scan.payload {
            // Whoever looks over a shoulder needn't read a password.
            case .wifi(let network): "network \(TerminalText.escape(network.ssid))"
            case .otp: "(a one-time password's key)"
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
        if let end = noticeEnds, clock.now >= end {
            noticeEnds = nil
            model.notice = nil
        }
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
        if isTriggerHeld, mode != .level { letGo() }
        model.mode = mode.rawValue
        model.isReading = session != nil
        model.activity = session.map { "session \($0.id) is reading" } ?? mode.hint
        if isTriggerHeld { model.activity += ", held: space lets go" }
        model.pending = await station.awaitingConfirmation.map { symbol in
            symbol.text.map { TerminalText.escape($0) } ?? "(\(symbol.bytes.count) bytes)"
        }
        model.lamps = lamps.picture(torch: await station.torch.mode)
        model.counters = [
            ("scans", counters.scans), ("no-reads", counters.noReads), ("sessions", counters.sessions),
            ("frames", readers.delivered), ("read", readers.read),
            ("unchanged", readers.gatedUnchanged + readers.gatedBlank), ("dropped", readers.droppedBusy),
            ("crashed", readers.crashed + readers.timedOut), ("times lit", counters.torchOn),
        ].map { PanelModel.Counter(name: $0.0, value: $0.1) }
    }
}

extension TriggerMode {
    /// What a person at the panel does in this mode.
    fileprivate var hint: String {
        switch self {
        case .presentation: "always looking; each code once"
        case .continuous: "always looking; codes that stay are repeated"
        case .level: "space holds the trigger, space again lets go"
        case .pulse: "space starts a session"
        case .host: "space stands in for the host's trigger"
        }
    }
}
