import Settings
import Vocabulary

/// Turns cues into what LEDs and buzzer do, step by step.
///
/// A pattern of equal or higher priority replaces the one that plays; one of lower priority waits its turn in a short queue, and is dropped
/// if it gets stale there: a late beep would seem to be about another scan. A late `tick` makes a step longer but never skips one.
package struct FeedbackMachine: Sendable {
    package struct Limits: Hashable, Sendable {
        /// How many cues wait for their turn; then the least important one is left out, and among equals the oldest.
        package var maxWaiting = 4
        /// A cue that has waited longer isn't played any more.
        package var staleAfter: Duration = .seconds(2)
        /// Silence before a pattern that cuts into a sounding one, so that two beeps are heard as two.
        package var restrikeGap: Duration = .milliseconds(30)

        package init() {}
    }

    package enum Event: Hashable, Sendable {
        /// `givenAt`: when it happened; the cue may have waited for the player.
        case cue(FeedbackCue, givenAt: Instant)
        /// Whether the station can scan: the steady light. It doesn't blink on a read, because people would wait for it.
        case ready(Bool)
        case tick
        /// Everything off, for good.
        case stop
    }

    package enum Action: Hashable, Sendable {
        /// `role`: good, error or ready.
        case light(LineRole, isOn: Bool)
        /// 0: silent, 1: the buzzer's own pitch, else hertz.
        case tone(hertz: Int)
    }

    private struct Playing: Sendable {
        var cue: FeedbackCue
        var steps: [FeedbackPattern.Step]
        /// Step under way, and when it ends.
        var index = 0
        var endsAt: Instant
    }

    private struct Waiting: Sendable {
        var cue: FeedbackCue
        var since: Instant
    }

    /// What the lines show.
    private struct Levels: Hashable, Sendable {
        var good = false
        var error = false
        var ready = false
        var toneHertz = 0
    }

    package let limits: Limits
    private let patterns: [FeedbackCue: FeedbackPattern]
    private var playing: Playing?
    private var waiting: [Waiting] = []
    private var isReady = false
    private var shown = Levels()
    private var isStopped = false
    /// Cues left out because others were more important or because they were stale.
    package private(set) var leftOut: UInt64 = 0

    /// Patterns of `settings` that break the rules of `FeedbackPattern.problems` are replaced by the built-in ones: the
    /// configuration refuses them earlier.
    package init(settings: FeedbackSettings = FeedbackSettings(), limits: Limits = Limits()) {
        self.limits = limits
        var patterns: [FeedbackCue: FeedbackPattern] = [:]
        for cue in FeedbackCue.allCases {
            let own = settings.patterns[cue].flatMap { $0.problems.isEmpty ? $0 : nil }
            patterns[cue] = own ?? .builtIn(for: cue)
        }
        self.patterns = patterns
    }

    package var playingCue: FeedbackCue? { playing?.cue }
    package var waitingCount: Int { waiting.count }

    /// When `tick` is due.
    package var wakeAt: Instant? { playing?.endsAt }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        guard !isStopped else { return [] }
        // What is due by now comes first, whatever the event, because a timer may come after a cue.
        advance(at: now)
        switch event {
        case .cue(let cue, let givenAt):
            guard givenAt.duration(to: now) <= limits.staleAfter else {
                leftOut += 1
                break
            }
            take(cue, givenAt: givenAt, at: now)
        case .ready(let isReady):
            self.isReady = isReady
        case .tick:
            break
        case .stop:
            isStopped = true
            isReady = false
            playing = nil
            waiting = []
        }
        return show()
    }

    private mutating func take(_ cue: FeedbackCue, givenAt: Instant, at now: Instant) {
        guard let pattern = patterns[cue], !pattern.steps.isEmpty else { return }
        guard let current = playing else { return begin(cue, pattern, at: now) }
        if cue.priority >= current.cue.priority {
            begin(cue, pattern, at: now)
            return
        }
        waiting.append(Waiting(cue: cue, since: givenAt))
        guard waiting.count > limits.maxWaiting else { return }
        // The first of the least important is the oldest of them.
        if let index = waiting.indices.min(by: { waiting[$0].cue.priority < waiting[$1].cue.priority }) {
            waiting.remove(at: index)
            leftOut += 1
        }
    }

    private mutating func begin(_ cue: FeedbackCue, _ pattern: FeedbackPattern, at now: Instant) {
        var steps = pattern.steps
        if shown.toneHertz != 0, let first = steps.first, first.toneHertz != 0 {
            steps.insert(.init(light: first.light, toneHertz: 0, duration: limits.restrikeGap), at: 0)
        }
        guard let first = steps.first else { return }
        playing = Playing(cue: cue, steps: steps, endsAt: now.advanced(by: first.duration))
    }

    private mutating func advance(at now: Instant) {
        guard var current = playing, now >= current.endsAt else { return }
        current.index += 1
        if current.index < current.steps.count {
            current.endsAt = now.advanced(by: current.steps[current.index].duration)
            playing = current
            return
        }
        playing = nil
        let fresh = waiting.filter { $0.since.duration(to: now) <= limits.staleAfter }
        leftOut += UInt64(waiting.count - fresh.count)
        waiting = fresh
        guard let next = waiting.indices.max(by: { waiting[$0].cue.priority < waiting[$1].cue.priority }) else {
            return
        }
        let cue = waiting.remove(at: next).cue
        if let pattern = patterns[cue] { begin(cue, pattern, at: now) }
    }

    private mutating func show() -> [Action] {
        var wanted = Levels()
        wanted.ready = isReady
        if let playing {
            let step = playing.steps[playing.index]
            wanted.good = step.light == .good
            wanted.error = step.light == .error
            wanted.toneHertz = step.toneHertz
        }
        var actions: [Action] = []
        if wanted.good != shown.good { actions.append(.light(.good, isOn: wanted.good)) }
        if wanted.error != shown.error { actions.append(.light(.error, isOn: wanted.error)) }
        if wanted.ready != shown.ready { actions.append(.light(.ready, isOn: wanted.ready)) }
        if wanted.toneHertz != shown.toneHertz { actions.append(.tone(hertz: wanted.toneHertz)) }
        shown = wanted
        return actions
    }
}
