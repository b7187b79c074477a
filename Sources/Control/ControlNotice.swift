import Linux
import Wire

/// What happens at a station's socket, for the log.
package enum ControlNotice: Hashable, Sendable {
    case connected(ClientID, PeerCredentials?)
    case disconnected(ClientID)
    /// It didn't read, and more lines were waiting than its queue takes.
    case slowClientDropped(ClientID, waiting: Int)
    /// A line longer than the limit.
    case overlongLine(ClientID, limit: Int)
    /// More clients than the limit; the newest was told so and closed.
    case tooManyClients(limit: Int)
    /// Somebody connected who may not, was told so, and closed.
    case strangerTurnedAway(PeerCredentials?)
    /// The socket's file is gone and can't be made again for the moment.
    case socketGone(path: String, reason: String)
    /// It was deleted or replaced, and has been made again.
    case socketBack(path: String)
    /// Connections can't be accepted for the moment.
    case acceptFailed(reason: String)
    /// Events came faster than they could be written out, so the oldest were dropped.
    case eventsDropped(count: UInt64)
}
