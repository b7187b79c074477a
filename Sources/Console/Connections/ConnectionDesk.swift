import NIOCore
import Synchronization

/// The open connections, over the table that decides.
package final class ConnectionDesk: Sendable {
    private struct State {
        var table: ConnectionTable
        var channels: [Int: any Channel] = [:]
        var nextID = 1
    }

    private let state: Mutex<State>

    package init(limits: ConnectionTable.Limits = .init()) {
        state = Mutex(State(table: ConnectionTable(limits: limits)))
    }

    package var count: Int { state.withLock { $0.table.count } }

    /// The connection's number; `nil`: it isn't taken.
    func open(_ channel: any Channel, from peer: Peer) -> Int? {
        let (id, victim) = state.withLock { state -> (Int?, (any Channel)?) in
            let id = state.nextID
            state.nextID += 1
            switch state.table.open(id, from: peer) {
            case .refuse: return (nil, nil)
            case .accept:
                state.channels[id] = channel
                return (id, nil)
            case .replace(let old):
                state.channels[id] = channel
                return (id, state.channels.removeValue(forKey: old))
            }
        }
        victim?.close(promise: nil)
        return id
    }

    func close(_ id: Int) {
        state.withLock { state in
            state.table.close(id)
            state.channels[id] = nil
        }
    }

    func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }

    func setIdle(_ id: Int, _ isIdle: Bool) { state.withLock { $0.table.setIdle(id, isIdle) } }
}
