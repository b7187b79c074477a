import Vocabulary

/// Decides when the buzzer ticks while somebody turns the camera: the nearer to the best sharpness so far, the quicker.
///
/// Active buzzers have one pitch, so the figure is in the pace, as with a car's parking aid. It ends by itself, so that a page that was
/// closed leaves no station ticking.
///
/// The best is that of pictures with a code, as on the console's page Aim: an empty table has edges, too, and no code need be as sharp. It
/// ticks slowest until it has seen one, to show that it works.
package struct AimMachine: Sendable {
    package struct Limits: Hashable, Sendable {
        /// From the last `on`.
        package var lasts: Duration = .seconds(120)
        /// A figure that is older says nothing any more.
        package var figureLasts: Duration = .milliseconds(1500)
        /// A code counts as in view for this long after it was read: a frame's own result may come too late for its picture, on a slow
        /// machine always.
        package var codeLasts: Duration = .milliseconds(500)
        package var slowest: Duration = .milliseconds(1500)
        package var quickest: Duration = .milliseconds(150)
        /// At this share of the best, and below, it ticks slowest; at that one, and above, quickest.
        package var worst = 0.4
        package var best = 0.97

        package init() {}
    }

    package enum Event: Hashable, Sendable {
        case on, off
        /// A code was read in a frame exposed then.
        case codeRead(Instant)
        /// The figure of the newest picture; `nil`: nothing in it can be judged. `showsCode`: one is known to be in it, read or not. What was
        /// best in another view says nothing.
        case figure(sharpness: Double?, showsCode: Bool, exposedAt: Instant, View)
        /// Another capture run, perhaps of another camera: what was best says nothing any more.
        case changed
        case tick
    }

    /// What a picture shows: with another resolution or viewport, the same picture has another sharpness.
    package struct View: Hashable, Sendable {
        package var frame: FrameSize
        package var viewport: Viewport

        package init(frame: FrameSize, viewport: Viewport) {
            self.frame = frame
            self.viewport = viewport
        }
    }

    package enum Action: Hashable, Sendable {
        /// Whether pictures are wanted.
        case look(Bool)
        case beep
        /// Set the one timer to send `tick` then.
        case wakeAt(Instant?)
    }

    private struct Figure: Hashable {
        var share: Double
        var at: Instant
    }

    private let limits: Limits
    private var until: Instant?
    private var figure: Figure?
    /// Sharpness of the sharpest picture with a code since `on`.
    private var sharpest: Double?
    private var view: View?
    /// Exposure of the latest frame in which a code was read.
    private var codeSeenAt: Instant?
    private var lastBeep: Instant?
    private var wakeAt: Instant?

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var isOn: Bool { until != nil }
    package var endsAt: Instant? { until }
    /// The share of the best so far, 0…1.
    package var share: Double? { figure?.share }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        if let end = until, now >= end { stop(&actions) }
        switch event {
        case .on:
            if until == nil {
                actions.append(.look(true))
                sharpest = nil
            }
            until = now.advanced(by: limits.lasts)
        case .off: stop(&actions)
        case .codeRead(let exposure): codeSeenAt = exposure
        case .figure(let sharpness, let isKnown, let exposure, let view):
            guard isOn else { break }
            let showsCode = isKnown || codeSeenAt.map { $0.duration(to: exposure) <= limits.codeLasts } ?? false
            if view != self.view { sharpest = nil }
            self.view = view
            figure = share(of: sharpness, showsCode).map { Figure(share: $0, at: now) }
        case .changed: (sharpest, figure) = (nil, nil)
        case .tick: break
        }
        beep(at: now, &actions)
        return actions
    }

    private mutating func share(of sharpness: Double?, _ showsCode: Bool) -> Double? {
        guard let sharpness, sharpness > 0 else { return nil }
        if showsCode { sharpest = max(sharpest ?? 0, sharpness) }
        guard let sharpest else { return 0 }
        // Sharper than any code was, and none in it.
        return sharpness > sharpest ? nil : sharpness / sharpest
    }

    private mutating func stop(_ actions: inout [Action]) {
        guard isOn else { return }
        (until, figure, lastBeep) = (nil, nil, nil)
        actions.append(.look(false))
    }

    private mutating func beep(at now: Instant, _ actions: inout [Action]) {
        if let found = figure, found.at.duration(to: now) > limits.figureLasts { figure = nil }
        var next: Instant?
        if let figure {
            let due = lastBeep.map { $0.advanced(by: interval(figure.share)) } ?? now
            if now >= due {
                lastBeep = now
                actions.append(.beep)
            }
            next = now >= due ? now.advanced(by: interval(figure.share)) : due
        }
        let new = [next, until].compactMap { $0 }.min()
        if new != wakeAt {
            wakeAt = new
            actions.append(.wakeAt(new))
        }
    }

    private func interval(_ share: Double) -> Duration {
        let place = min(max((share - limits.worst) / (limits.best - limits.worst), 0), 1)
        // Beeps a second, not the time between them, go with the figure.
        return limits.slowest / (1 + (limits.slowest / limits.quickest - 1) * place)
    }
}
