import Wire

/// What happens at a station's socket, for the log.
package enum ControlNotice: Hashable, Sendable {
    case connected(ClientID, PeerCredentials?)
    case disconnected(ClientID)
    /// It didn't read: more lines than its queue takes were waiting.
    case slowClientDropped(ClientID, waiting: Int)
    /// A line longer than the limit.
    case overlongLine(ClientID, limit: Int)
    /// More clients than the limit; the newest was told so and closed.
    case tooManyClients(limit: Int)
    /// The socket's file is gone, and it can't be made again for the moment.
    case socketGone(path: String, reason: String)
    /// It was deleted or replaced, and is there again.
    case socketBack(path: String)
    /// Connections can't be accepted for the moment.
    case acceptFailed(reason: String)
    /// Events came faster than they could be written out, or a client's… the oldest gave way.
    case eventsDropped(count: UInt64)
}
