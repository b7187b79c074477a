import Vocabulary

/// Puts results in the order of their frames, and lends held-back frames the symbols of the picture that they repeat.
struct ResultOrder: Sendable {
    private enum State {
        case outstanding(sequence: UInt64)
        case resolved(ReadResult, picture: UInt64, at: Instant)
        case gated(FrameInfo, ReadResult.Outcome)
    }

    var maxHeld: Int
    private var entries: [(number: UInt64, state: State)] = []
    private var still = StillPicture()

    init(maxHeld: Int) { self.maxHeld = maxHeld }

    /// When the oldest of the results that wait for an older frame came in.
    var oldestHeld: Instant? {
        entries.lazy.compactMap { entry -> Instant? in
            if case .resolved(_, _, let at) = entry.state { return at }
            return nil
        }.min()
    }

    mutating func appendOutstanding(_ number: UInt64, _ sequence: UInt64) {
        entries.append((number, .outstanding(sequence: sequence)))
    }

    /// Whether the result of frame `sequence` hasn't been passed on yet.
    func awaits(_ sequence: UInt64) -> Bool {
        entries.contains { entry in
            switch entry.state {
            case .outstanding(let outstanding): outstanding == sequence
            case .resolved(let result, _, _): result.frame.sequence == sequence
            case .gated(let info, _): info.sequence == sequence
            }
        }
    }

    /// Beyond `maxHeld`, the frame isn't reported: it would repeat the ones before it.
    mutating func appendGated(_ number: UInt64, _ info: FrameInfo, _ outcome: ReadResult.Outcome) {
        guard entries.count < maxHeld else { return }
        entries.append((number, .gated(info, outcome)))
    }

    mutating func remove(_ number: UInt64) { entries.removeAll { $0.number == number } }

    mutating func clear() {
        entries = []
        still.clear()
    }

    /// Lends what the ladder found in picture number `picture` to the held-back frames that repeat it.
    mutating func lend(_ symbols: [Symbol], picture: UInt64) { still.lend(symbols, picture: picture) }

    /// - Returns: whether it has its place among the results; otherwise newer ones were passed on without it.
    @discardableResult
    mutating func resolve(
        _ number: UInt64, _ result: ReadResult, picture: UInt64, at now: Instant, counters: inout ReaderCounters
    ) -> Bool {
        guard let index = entries.firstIndex(where: { $0.number == number }) else {
            counters.late += 1
            return false
        }
        entries[index].state = .resolved(result, picture: picture, at: now)
        return true
    }

    /// The results that can be passed on now.
    mutating func release(orderWait: Duration, at now: Instant, counters: inout ReaderCounters) -> [ReadResult] {
        var released: [ReadResult] = []
        while let first = entries.first {
            switch first.state {
            case .outstanding:
                guard let held = oldestHeld, held.advanced(by: orderWait) <= now else { return released }
            case .resolved(let result, let picture, _):
                if result.outcome == .decoded { still.add(result.symbols, picture: picture) }
                released.append(result)
            case .gated(let info, .unchanged):
                released.append(ReadResult(frame: info, outcome: .unchanged, symbols: still.symbols))
            case .gated(let info, let outcome):
                still.clear()
                released.append(ReadResult(frame: info, outcome: outcome))
            }
            entries.removeFirst()
        }
        return released
    }
}
