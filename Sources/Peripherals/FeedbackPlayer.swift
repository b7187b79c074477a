import Linux
import Settings
import Vocabulary

/// Plays feedback patterns on the indicators and the buzzer. `FeedbackMachine` decides, this drives the lines.
///
/// Giving a cue never waits: cues go through a bounded inbox. Missing or unconfigured lines are left out; when they come back, they show
/// what they should.
package actor FeedbackPlayer {
    private var machine: FeedbackMachine
    private var indicators: [LineRole: Indicator] = [:]
    private var buzzer: Buzzer?
    private var wakeup: Wakeup
    private var loop: Task<Void, Never>?
    private var isShutDown = false
    private let inbox = FeedbackInbox()
    private let signal: @Sendable () -> Void
    private let clock: any PeripheralClock

    /// - Parameter settings: patterns that replace the built-in ones.
    package init(
        indicators: IndicatorSettings, buzzer: BuzzerSettings?, settings: FeedbackSettings = FeedbackSettings(),
        lines: any LineProvider, clock: any PeripheralClock = BootClock(),
        notices: PeripheralNotices = PeripheralNotices(),
        limits: FeedbackMachine.Limits = FeedbackMachine.Limits()
    ) {
        self.clock = clock
        machine = FeedbackMachine(settings: settings, limits: limits)
        wakeup = Wakeup(clock: clock)
        signal = wakeup.signal
        for (role, line) in [
            (LineRole.good, indicators.good), (.error, indicators.error), (.ready, indicators.ready),
        ] {
            self.indicators[role] = line.map {
                Indicator($0, role: role, lines: lines, clock: clock, notices: notices)
            }
        }
        self.buzzer = buzzer.map { Buzzer($0, lines: lines, clock: clock, notices: notices) }
    }

    /// Takes the lines, dark and silent. Idempotent.
    package func start() {
        guard loop == nil, !isShutDown else { return }
        let signals = wakeup.signals
        loop = Task { [weak self] in
            for await _ in signals { await self?.tick() }
        }
        for role in indicators.keys { indicators[role]?.start() }
        buzzer?.start()
        tick()
    }

    /// Plays the cue's pattern as soon as its priority lets it. Returns at once; from any thread.
    package nonisolated func play(_ cue: FeedbackCue) {
        inbox.post(cue, at: clock.now)
        signal()
    }

    /// Whether the station can scan: the steady light. Returns at once; from any thread.
    package nonisolated func setReady(_ isReady: Bool) {
        inbox.post(isReady: isReady)
        signal()
    }

    /// Dark and silent, the lines given back. For good.
    package func shutdown() {
        isShutDown = true
        perform(machine.handle(.stop, at: clock.now))
        for role in indicators.keys { indicators[role]?.stop() }
        buzzer?.stop()
        wakeup.finish()
        loop?.cancel()
        loop = nil
    }

    /// The state of the lines, for `status`.
    package func status() -> FeedbackStatus {
        var found: [LineStatus] = []
        for role in [LineRole.good, .error, .ready] {
            if let status = indicators[role]?.status() { found.append(status) }
        }
        if let status = buzzer?.status() { found.append(status) }
        return FeedbackStatus(
            lines: found, playing: machine.playingCue, cuesLeftOut: machine.leftOut + inbox.leftOut)
    }

    /// Takes what is in the inbox and does what is due. Calling it once too often is harmless.
    func tick() {
        guard !isShutDown else { return }
        let contents = inbox.take()
        if let isReady = contents.isReady { perform(machine.handle(.ready(isReady), at: clock.now)) }
        for cue in contents.cues { perform(machine.handle(.cue(cue.cue, givenAt: cue.at), at: clock.now)) }
        perform(machine.handle(.tick, at: clock.now))
        for role in indicators.keys { indicators[role]?.tick() }
        buzzer?.tick()
        let deadlines = indicators.values.map(\.wakeAt) + [buzzer?.wakeAt, machine.wakeAt]
        wakeup.set(deadlines.compactMap(\.self).min())
    }

    private func perform(_ actions: [FeedbackMachine.Action]) {
        for action in actions {
            switch action {
            case .light(let role, let isOn): indicators[role]?.show(isOn)
            case .tone(let hertz): buzzer?.sound(hertz: hertz)
            }
        }
    }
}

/// What LEDs and buzzer do at one moment.
package struct FeedbackStatus: Hashable, Sendable {
    /// Those that are configured: good, error, ready, buzzer.
    package var lines: [LineStatus]
    package var playing: FeedbackCue?
    /// Cues that weren't played because others were more important or because they came too late.
    package var cuesLeftOut: UInt64
}
