import Vocabulary

/// Turns the edges of a button's line into presses and releases.
///
/// If the kernel doesn't debounce (libgpiod 1.x), a change counts after a quiet time of `debounce`, when the line is read once more; its
/// instant is that of the burst's first edge, because that is when the finger moved. With a kernel that debounces, or a `debounce` of zero,
/// an edge counts at once.
///
/// A button that is held down while the station starts isn't a press. One whose line goes away counts as released: a cut cable must not
/// leave anything triggered.
package struct DebounceMachine: Sendable {
    package enum Event: Hashable, Sendable {
        /// The line is ours; its level, and whether its edges come debounced.
        case opened(isActive: Bool, isDebounced: Bool)
        /// An edge, with the level it led to; handled at the edge's own instant.
        case edge(isActive: Bool)
        /// What the line read after `.readLevel`.
        case level(isActive: Bool)
        case tick
        case lineLost
    }

    package enum Action: Hashable, Sendable {
        case readLevel
        case changed(isPressed: Bool, at: Instant)
    }

    package let debounce: Duration
    package private(set) var isPressed = false
    private var isDebounced = false
    private var burstBegan: Instant?
    private var quietAt: Instant?

    /// - Parameter debounce: 0…200 ms.
    package init(debounce: Duration) { self.debounce = max(.zero, debounce) }

    /// When `tick` is due.
    package var wakeAt: Instant? { quietAt }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch event {
        case .opened(let isActive, let isDebounced):
            self.isDebounced = isDebounced || debounce == .zero
            isPressed = isActive
            endBurst()
            return []
        case .edge(let isActive):
            guard !isDebounced else { return change(to: isActive, at: now) }
            burstBegan = burstBegan ?? now
            quietAt = now.advanced(by: debounce)
            return []
        case .tick:
            guard let due = quietAt, now >= due else { return [] }
            quietAt = nil
            return [.readLevel]
        case .level(let isActive):
            // A newer edge may have come meanwhile: then its own quiet time decides.
            guard quietAt == nil, let began = burstBegan else { return [] }
            endBurst()
            return change(to: isActive, at: began)
        case .lineLost:
            endBurst()
            return change(to: false, at: now)
        }
    }

    private mutating func endBurst() {
        burstBegan = nil
        quietAt = nil
    }

    private mutating func change(to isActive: Bool, at instant: Instant) -> [Action] {
        guard isActive != isPressed else { return [] }
        isPressed = isActive
        return [.changed(isPressed: isActive, at: instant)]
    }
}
