import Vocabulary

/// Connects to the first of several addresses that answers: each gets a head start before the next is tried beside it, and one that fails
/// makes way at once (RFC 8305, section 5).
///
/// ```
///            begin              connected(i)
///   idle ───────────▶ racing ─────────────────▶ won: the others are abandoned
///                      │  ▲ └─ all failed, or the time is over: lost
///                      └──┘ head start over, or one failed: the next address
/// ```
/// Addresses are numbers from 0, in the order of attempts. What arrives after the end is ignored.
package struct ConnectRace: Hashable, Sendable {
    /// RFC 8305 recommends it.
    package static let defaultHeadStart: Duration = .milliseconds(250)

    package enum Event: Hashable, Sendable {
        case begin
        case connected(Int)
        case failed(Int)
        /// The time asked for by `wakeAt` has come.
        case timer
    }

    package enum Action: Hashable, Sendable {
        case connect(Int)
        /// Feed `timer` at this time; `nil`: no timer is needed any more.
        case wakeAt(Instant?)
        /// Give the attempt up.
        case abandon(Int)
        case won(Int)
        /// Nobody answered; `silent`: those that neither connected nor failed in time.
        case lost(silent: [Int])
    }

    private enum Phase: Hashable, Sendable {
        case idle
        /// `next`: the first address that wasn't tried. `headStartEnd`: when it is tried.
        case racing(next: Int, underWay: [Int], headStartEnd: Instant?, deadline: Instant)
        case over
    }

    private let candidates: Int
    private let headStart: Duration
    private let timeout: Duration
    private var phase: Phase = .idle

    /// `timeout`: for the whole race.
    package init(candidates: Int, headStart: Duration = ConnectRace.defaultHeadStart, timeout: Duration) {
        self.candidates = candidates
        self.headStart = headStart
        self.timeout = timeout
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch (event, phase) {
        case (.begin, .idle): return tryNext(0, [], now, deadline: now.advanced(by: timeout))
        case (.connected(let winner), .racing(_, let underWay, _, _)) where underWay.contains(winner):
            phase = .over
            return underWay.filter { $0 != winner }.map { .abandon($0) } + [.wakeAt(nil), .won(winner)]
        case (.failed(let loser), .racing(let next, let underWay, _, let deadline)) where underWay.contains(loser):
            return tryNext(next, underWay.filter { $0 != loser }, now, deadline: deadline)
        case (.timer, .racing(let next, let underWay, let headStartEnd, let deadline)):
            if now >= deadline {
                phase = .over
                return underWay.map { .abandon($0) } + [.wakeAt(nil), .lost(silent: underWay)]
            }
            if let headStartEnd, now >= headStartEnd { return tryNext(next, underWay, now, deadline: deadline) }
            return [.wakeAt(min(headStartEnd ?? deadline, deadline))]
        default: return []
        }
    }

    private mutating func tryNext(_ next: Int, _ underWay: [Int], _ now: Instant, deadline: Instant) -> [Action] {
        guard next < candidates else {
            guard !underWay.isEmpty else {
                phase = .over
                return [.wakeAt(nil), .lost(silent: [])]
            }
            phase = .racing(next: next, underWay: underWay, headStartEnd: nil, deadline: deadline)
            return [.wakeAt(deadline)]
        }
        let headStartEnd = next + 1 < candidates ? now.advanced(by: headStart) : nil
        phase = .racing(next: next + 1, underWay: underWay + [next], headStartEnd: headStartEnd, deadline: deadline)
        return [.connect(next), .wakeAt(min(headStartEnd ?? deadline, deadline))]
    }
}
