import Synchronization
import Wire

/// What waits for one output, and in which order. Scans are in the journal; only their last sequence is known here. Volatile events
/// (everything else) are in a bounded queue.
///
/// ```
/// journal      1  2  3  4  5  6        kept: 6
/// volatile           a     b c         a came after scan 3, b and c after 5
/// delivered    1  2  3  a  4  5  b c  6
/// ```
/// One consumer: the lane. Volatile events that it is delivering aren't dropped for newer ones.
final class LaneInbox: Sendable {
    enum Work {
        /// These come first, in order.
        case volatile([Event])
        /// The journal's scans after one sequence, up to another one, come next.
        case scans(after: UInt64, through: UInt64)
        case nothing
    }

    private struct Waiting {
        var event: Event
        /// The last scan that was kept before it.
        var after: UInt64
    }

    private struct State {
        /// A ring without wrap-around: what is before `head` was taken, and is removed now and then.
        var volatile: [Waiting?] = []
        var head = 0
        var inHand: [Event] = []
        /// The last sequence in the journal.
        var kept: UInt64 = 0
        /// The first scan that was kept before the journal gave the output's position.
        var firstKept: UInt64?
        /// The last sequence that was delivered; `nil`: the journal hasn't said yet.
        var position: UInt64?
        var dropped: UInt64 = 0
        /// No more events are taken; those already there are still handed out.
        var isDraining = false
        var isClosed = false

        var first: Waiting? { head < volatile.count ? volatile[head] : nil }
        var waiting: Int { volatile.count - head }

        mutating func takeFirst() -> Event? {
            guard let first else { return nil }
            volatile[head] = nil
            head += 1
            if head >= 64, head * 2 >= volatile.count {
                volatile.removeFirst(head)
                head = 0
            }
            return first.event
        }

        /// Whether it is the first volatile event's turn.
        var isVolatileNext: Bool {
            guard let first else { return false }
            guard let position else { return true }
            return first.after <= position
        }
    }

    let limit: Int
    let doorbell = Doorbell()
    private let state = Mutex(State())

    init(limit: Int) { self.limit = max(1, limit) }

    /// Takes a volatile event. Never blocks.
    func append(_ event: Event) {
        state.withLock { state in
            guard !state.isDraining, !state.isClosed else {
                state.dropped += 1
                return
            }
            if state.waiting == limit {
                _ = state.takeFirst()
                state.dropped += 1
            }
            state.volatile.append(Waiting(event: event, after: state.kept))
        }
        doorbell.ring(.arrival)
    }

    /// The journal goes up to `sequence` now.
    func keep(_ sequence: UInt64) {
        state.withLock { state in
            // What is kept after the end of the station's work is for the next run.
            guard !state.isDraining else { return }
            if state.position == nil, state.firstKept == nil { state.firstKept = sequence }
            state.kept = max(state.kept, sequence)
        }
        doorbell.ring(.arrival)
    }

    /// What the journal says about the output: scans after `cursor` must be delivered, `last` is its newest. An output that is new to the
    /// journal begins at the journal's end, but gets what was kept earlier in this run.
    func register(cursor: UInt64, last: UInt64) {
        state.withLock { state in
            state.position = state.firstKept.map { min(cursor, max($0, 1) - 1) } ?? cursor
            state.kept = max(state.kept, last)
        }
        doorbell.ring(.arrival)
    }

    /// What comes next, at most `limit` volatile events at once. `takesScans`: `false` while the journal has to be waited for.
    func next(limit: Int, takesScans: Bool) -> Work {
        state.withLock { state in
            if state.isClosed { return .nothing }
            while state.inHand.count < limit, state.isVolatileNext, let event = state.takeFirst() {
                state.inHand.append(event)
            }
            if !state.inHand.isEmpty { return .volatile(state.inHand) }
            let end = min(state.kept, state.first?.after ?? state.kept)
            guard takesScans, let position = state.position, position < end else { return .nothing }
            return .scans(after: position, through: end)
        }
    }

    /// The first `count` volatile events in hand are done.
    func finished(_ count: Int) { state.withLock { $0.inHand.removeFirst(min(count, $0.inHand.count)) } }

    /// Scans up to and including `sequence` are done.
    func advance(to sequence: UInt64) {
        state.withLock { $0.position = max($0.position ?? 0, sequence) }
    }

    /// Takes no more events; those already there are still handed out.
    func beginDraining() {
        state.withLock { $0.isDraining = true }
        doorbell.ring([.arrival, .conditions])
    }

    /// Nothing goes in or out any more; volatile events that still wait count as dropped.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isDraining = true
            state.isClosed = true
            state.dropped += UInt64(state.waiting + state.inHand.count)
            state.volatile = []
            state.head = 0
            state.inHand = []
        }
        doorbell.ring([.arrival, .conditions])
    }

    var isDraining: Bool { state.withLock { $0.isDraining } }
    var isClosed: Bool { state.withLock { $0.isClosed } }
    /// Volatile events that wait or are in hand.
    var count: Int { state.withLock { $0.waiting + $0.inHand.count } }
    var dropped: UInt64 { state.withLock { $0.dropped } }
    var kept: UInt64 { state.withLock { $0.kept } }
}
