import Vocabulary

/// How often somebody may try a password: a number a minute for each peer, and for all together.
///
/// The bound for all would let an attacker with many addresses lock the owner out. So it doesn't apply to peers that have got in before, or
/// to this machine; and a one-time key, which can't be guessed, is only bound by its peer.
package struct TryMachine {
    package struct Limits: Hashable, Sendable {
        package var window: Duration = .seconds(60)
        package var perPeer = 5
        package var inAll = 30
        /// Peers remembered; beyond, those that tried longest ago are forgotten.
        package var peers = 1024

        package init() {}
    }

    package enum Kind: Hashable, Sendable {
        case password
        case key
    }

    package enum Verdict: Hashable, Sendable {
        case allowed
        case wait(Duration)
    }

    private let limits: Limits
    private var tries: [Peer: [Instant]] = [:]
    private var all: [Instant] = []
    /// Peers that got in, the last one last.
    private var known: [Peer] = []

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Counts a try, unless it isn't allowed.
    package mutating func attempt(_ kind: Kind, from peer: Peer, at now: Instant) -> Verdict {
        var own = recent(tries[peer] ?? [], at: now)
        all = recent(all, at: now)
        if own.count >= limits.perPeer, let first = own.first { return wait(since: first, at: now) }
        let isBoundByAll = kind == .password && !peer.isThisMachine && !known.contains(peer)
        if isBoundByAll, all.count >= limits.inAll, let first = all.first { return wait(since: first, at: now) }
        own.append(now)
        tries[peer] = own
        if isBoundByAll { all.append(now) }
        if tries.count > limits.peers { forget(at: now) }
        return .allowed
    }

    /// This peer's try was right.
    package mutating func succeeded(_ peer: Peer) {
        tries[peer] = nil
        known.removeAll { $0 == peer }
        known.append(peer)
        if known.count > limits.peers { known.removeFirst() }
    }

    private func recent(_ instants: [Instant], at now: Instant) -> [Instant] {
        instants.filter { $0.duration(to: now) < limits.window }
    }

    private func wait(since first: Instant, at now: Instant) -> Verdict {
        .wait(max(now.duration(to: first.advanced(by: limits.window)), .seconds(1)))
    }

    private mutating func forget(at now: Instant) {
        tries = tries.filter { !recent($0.value, at: now).isEmpty }
        let excess = tries.count - limits.peers
        guard excess > 0 else { return }
        let oldest = tries.sorted { ($0.value.last ?? .zero) < ($1.value.last ?? .zero) }.prefix(excess)
        for (peer, _) in oldest { tries[peer] = nil }
    }
}
