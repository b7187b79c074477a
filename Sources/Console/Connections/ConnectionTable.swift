/// Which connections are open, and which one has to go when another comes.
///
/// A server that stops accepting when it is full can be filled with idle connections, and then its owner is locked out. So the newest
/// always comes in if any idle one can go: first of the same peer when that has too many, else the oldest of the peer with the most idle ones. The
/// oldest of all would be the owner's after milliseconds, when others come by the thousand.
package struct ConnectionTable {
    package struct Limits: Hashable, Sendable {
        package var inAll = 256
        package var perPeer = 48

        package init() {}
    }

    package enum Verdict: Hashable, Sendable {
        case accept
        /// These are closed first.
        case replace(Int)
        /// All that could go are busy.
        case refuse
    }

    private struct Entry {
        let id: Int
        let peer: Peer
        var isIdle = true
    }

    private let limits: Limits
    /// The oldest first.
    private var entries: [Entry] = []

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var count: Int { entries.count }

    package mutating func open(_ id: Int, from peer: Peer) -> Verdict {
        // Connections of this machine may be everybody's, through a proxy.
        let own = peer.isThisMachine ? 0 : entries.count { $0.peer == peer }
        var verdict = Verdict.accept
        if own >= limits.perPeer {
            guard let oldest = entries.first(where: { $0.peer == peer && $0.isIdle }) else { return .refuse }
            verdict = .replace(oldest.id)
        } else if entries.count >= limits.inAll {
            guard let oldest = oldestOfTheGreediest else { return .refuse }
            verdict = .replace(oldest.id)
        }
        if case .replace(let id) = verdict { close(id) }
        entries.append(Entry(id: id, peer: peer))
        return verdict
    }

    private var oldestOfTheGreediest: Entry? {
        var counts: [Peer: Int] = [:]
        for entry in entries where entry.isIdle { counts[entry.peer, default: 0] += 1 }
        guard let most = counts.values.max() else { return nil }
        return entries.first { $0.isIdle && counts[$0.peer] == most }
    }

    package mutating func close(_ id: Int) { entries.removeAll { $0.id == id } }

    package mutating func setIdle(_ id: Int, _ isIdle: Bool) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[index].isIdle = isIdle
    }
}
