/// Which connections are open, and which one has to go when another comes.
///
/// A server that stops accepting when it is full can be filled with idle connections, and its owner stands before the door. So the newest
/// always comes in if any idle one can go: first of the same peer when that has too many, else the oldest of all.
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
            guard let oldest = entries.first(where: \.isIdle) else { return .refuse }
            verdict = .replace(oldest.id)
        }
        if case .replace(let id) = verdict { close(id) }
        entries.append(Entry(id: id, peer: peer))
        return verdict
    }

    package mutating func close(_ id: Int) { entries.removeAll { $0.id == id } }

    package mutating func setIdle(_ id: Int, _ isIdle: Bool) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[index].isIdle = isIdle
    }
}
