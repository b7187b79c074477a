import Wire

/// The newest committed scans, in memory, for outputs that keep up. Bounded; sequences are consecutive.
struct JournalTail: Sendable {
    /// A ring: `events[(start + n) % capacity]` is the scan of sequence `first + n`.
    private var events: [Event] = []
    private var start = 0
    private let capacity: Int
    /// The sequence of the oldest scan in it.
    private(set) var first: UInt64 = 1

    var last: UInt64 { first + UInt64(events.count) - 1 }

    init(capacity: Int = JournalLimits.tailScans) { self.capacity = capacity }

    /// An empty one that goes on after `last`.
    init(last: UInt64) {
        self.init()
        reset(last: last)
    }

    /// Forgets everything; the next scan will have the sequence `last + 1`.
    mutating func reset(last: UInt64) {
        events = []
        start = 0
        first = last + 1
    }

    mutating func append(_ event: Event) {
        if events.count < capacity {
            events.append(event)
        } else {
            events[start] = event
            start = (start + 1) % capacity
            first += 1
        }
    }

    /// The scans after `sequence`; `nil` if that includes older ones than it holds.
    func scans(after sequence: UInt64, limit: Int) -> [Event]? {
        if sequence >= last { return [] }
        guard sequence + 1 >= first else { return nil }
        let offset = Int(sequence + 1 - first)
        let count = min(limit, events.count - offset)
        return (0..<max(0, count)).map { events[(start + offset + $0) % capacity] }
    }

    var all: [Event] { scans(after: first - 1, limit: events.count) ?? [] }
}
