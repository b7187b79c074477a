import Settings

/// An output's figures since the start, for `ctl status`.
package struct OutputReport: Hashable, Sendable {
    package var name: String
    /// `serial`, `unix`, `stdout`, `tcp`, `mqtt`, `webhook`, `keyboard`, `file`, `control`.
    package var kind: String
    package var status: OutputStatus
    /// Events that were accepted.
    package var delivered: UInt64 = 0
    /// Events that the receiver refused.
    package var refused: UInt64 = 0
    /// Events that were given up: the queue was full, or offering them again was pointless.
    package var dropped: UInt64 = 0
    /// Events other than scans that wait now.
    package var queued = 0
    /// Whether the journal keeps scans until this output has answered for them; `nil` for one that isn't served from it.
    package var isRequired: Bool?
    package var mode: DeliveryMode?
    /// The last sequence of the journal that it has answered for, on record; `nil` until the journal has said.
    package var cursor: UInt64?
    /// Scans after the cursor.
    package var lag: UInt64?
    package var bytes: UInt64 = 0
    /// Clients connected now; `nil` where the output has no clients.
    package var clients: Int?
    /// Clients that were closed because they didn't read.
    package var slowClientsDropped: UInt64 = 0
    /// The last thing that went wrong, even if it is over.
    package var lastError: String?
    /// When that was, if known; nanoseconds since 1970.
    package var lastErrorAt: Int64?

    package init(name: String, kind: String, status: OutputStatus) {
        self.name = name
        self.kind = kind
        self.status = status
    }

    /// As `ctl status` and the `status` command show it.
    package var json: JSONValue {
        var fields: [String: JSONValue] = [
            "name": .string(name),
            "kind": .string(kind),
            "state": .string(status.state.rawValue),
            "delivered": .integer(Int64(clamping: delivered)),
            "refused": .integer(Int64(clamping: refused)),
            "dropped": .integer(Int64(clamping: dropped)),
            "queued": .integer(Int64(queued)),
            "bytes": .integer(Int64(clamping: bytes)),
        ]
        if let detail = status.detail { fields["detail"] = .string(detail) }
        if let clients {
            fields["clients"] = .integer(Int64(clients))
            fields["slowClientsDropped"] = .integer(Int64(clamping: slowClientsDropped))
        }
        if let isRequired { fields["required"] = .bool(isRequired) }
        if let mode { fields["mode"] = .string(mode.rawValue) }
        if let cursor { fields["cursor"] = .integer(Int64(clamping: cursor)) }
        if let lag { fields["lag"] = .integer(Int64(clamping: lag)) }
        if let lastError { fields["lastError"] = .string(lastError) }
        if let lastErrorAt {
            fields["lastErrorTime"] = .string(WallTime.rfc3339(nanoseconds: lastErrorAt))
        }
        return .object(fields)
    }
}
