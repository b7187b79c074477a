import Vocabulary

/// How many lines of one kind may be written in a second; the rest is counted, and the count is written when the flood is over.
struct LogRateLimit {
    enum Verdict: Equatable {
        /// Write it; `missed` lines of this kind were held back before.
        case write(missed: Int)
        case hold
    }

    private struct Window {
        var start: Instant
        var written = 0
        var held = 0
    }

    let maxPerSecond: Int
    /// How many kinds are remembered; the table is emptied when more turn up, so that hostile input can't make it grow.
    let maxKinds = 256
    private var windows: [String: Window] = [:]

    init(maxPerSecond: Int) { self.maxPerSecond = maxPerSecond }

    mutating func admit(kind: String, at now: Instant) -> Verdict {
        var window = windows[kind] ?? Window(start: now)
        var missed = 0
        if window.start.duration(to: now) >= .seconds(1) {
            missed = window.held
            window = Window(start: now)
        }
        if windows.count >= maxKinds, windows[kind] == nil { windows.removeAll(keepingCapacity: true) }
        defer { windows[kind] = window }
        guard window.written < maxPerSecond else {
            window.held += 1
            return .hold
        }
        window.written += 1
        return .write(missed: missed)
    }
}
