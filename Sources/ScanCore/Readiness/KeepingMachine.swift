/// Decides whether scans can be kept, who hears about it when, and what is announced only after scans that are on their way to the disk.
///
/// ```
///               accepting                 registered
///   unopened ───────────────▶ registering ───────────▶ keeping
///       │                       │     ▲                   │
///       │ refusing     refusing │     │ accepting         │ refusing
///       └───────────────────────┴──▶ refusing ◀───────────┘
/// ```
/// Between `accepting` and `keeping`, the outputs are registered with the journal: a scan that is kept earlier might not wait for an output
/// that is new to the journal. What follows from a scan (the end of its session) is announced once that scan, and all before it, are kept
/// or lost.
///
/// - `Waiter`: a caller that waits to hear whether scans can be kept.
/// - `Follower`: what is announced after scans.
package struct KeepingMachine<Waiter: Sendable, Follower: Sendable>: Sendable {
    /// What the journal says about itself.
    package enum Journal: Hashable, Sendable {
        case unopened, accepting, refusing
    }

    package enum Event: Sendable {
        case journal(Journal)
        /// The journal knows every output; with its id.
        case registered(journal: String)
        case wait(Waiter)
        /// A person asks for a scan.
        case asked
        /// A scan is on its way to the disk.
        case accepted
        /// The last accepted scans couldn't be handed to the journal: too many are on their way.
        case turnedAway(Int)
        /// What became of the first scans that were on their way.
        case kept(Int), lost(Int)
        /// Something that follows from the scans accepted so far.
        case follow(Follower)
        /// The journal's state isn't followed any more; scans on their way still are.
        case stop
    }

    package enum Action: Sendable {
        /// Make the outputs known to the journal, and send `registered` then.
        case register
        /// This isn't the journal that scans were last kept in; the id is that journal's. `keeping(true)` follows.
        case replaced(String)
        /// Sent when it changes; at first nothing can be kept.
        case keeping(Bool)
        /// What is in view wasn't kept: it counts as new.
        case readAgain
        /// The cue for a person.
        case cannotKeep
        case tell(Follower)
        /// One for each `wait`.
        case resume(Waiter)
    }

    private enum Phase {
        case unopened, registering, keeping, refusing
    }

    private var phase = Phase.unopened
    private var isStopped = false
    /// The id of the journal that scans were last kept in.
    private var journal: String?
    private var waiters: [Waiter] = []
    private var accepted: UInt64 = 0
    /// Kept or lost, in the order in which they were accepted.
    private var settled: UInt64 = 0
    /// With the number of the scan that each follows.
    private var followers: [(scan: UInt64, follower: Follower)] = []

    package init() {}

    package var isKeeping: Bool { phase == .keeping }
    /// There is more to it than a journal that is still being opened.
    package var isRefusing: Bool { phase == .refusing }
    /// Scans are on their way to the disk.
    package var hasScansUnderWay: Bool { settled < accepted }

    package mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .journal(let state): return isStopped ? [] : follow(state)
        case .registered(let id): return isStopped ? [] : begin(in: id)
        case .wait(let waiter):
            waiters.append(waiter)
            return resumeIfDecided()
        case .asked: return isRefusing ? [.cannotKeep] : []
        case .accepted:
            accepted += 1
            return []
        case .turnedAway(let count):
            accepted -= min(UInt64(count), accepted - settled)
            for index in followers.indices { followers[index].scan = min(followers[index].scan, accepted) }
            return lose()
        case .kept(let count):
            settle(count)
            return tellFollowers()
        case .lost(let count):
            settle(count)
            return lose()
        case .follow(let follower):
            followers.append((accepted, follower))
            return tellFollowers()
        case .stop:
            isStopped = true
            return resumeIfDecided()
        }
    }

    private mutating func follow(_ state: Journal) -> [Action] {
        let wasKeeping = isKeeping
        switch (state, phase) {
        case (.accepting, .registering), (.accepting, .keeping), (.refusing, .refusing): return []
        case (.accepting, _):
            phase = .registering
            return [.register]
        case (.refusing, _): phase = .refusing
        case (.unopened, _): phase = .unopened
        }
        return (wasKeeping ? [.keeping(false)] : []) + resumeIfDecided() + (isRefusing ? [.cannotKeep] : [])
    }

    private mutating func begin(in id: String) -> [Action] {
        // It may have come too late, or twice: the journal's state changes meanwhile.
        guard phase == .registering || phase == .keeping else { return [] }
        defer { journal = id }
        let replaced: [Action] = journal.flatMap { $0 == id ? nil : [.replaced($0)] } ?? []
        guard phase == .registering else { return replaced }
        phase = .keeping
        return replaced + [.keeping(true)] + resumeIfDecided()
    }

    private mutating func resumeIfDecided() -> [Action] {
        guard isStopped || isKeeping || isRefusing else { return [] }
        defer { waiters = [] }
        return waiters.map(Action.resume)
    }

    private mutating func settle(_ count: Int) { settled = min(settled + UInt64(count), accepted) }

    private mutating func lose() -> [Action] { [.cannotKeep] + tellFollowers() + (isKeeping ? [.readAgain] : []) }

    private mutating func tellFollowers() -> [Action] {
        let due = followers.prefix { $0.scan <= settled }
        followers.removeFirst(due.count)
        return due.map { .tell($0.follower) }
    }
}

extension KeepingMachine.Action: Equatable where Waiter: Equatable, Follower: Equatable {}
