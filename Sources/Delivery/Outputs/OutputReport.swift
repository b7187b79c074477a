import ScanCore
import Wire

/// An output's figures since the start, for `ctl status`.
public struct OutputReport: Hashable, Sendable {
    public var name: String
    /// `serial`, `unix`, `stdout`, `tcp`, `mqtt`, `webhook`, `keyboard`, `file`, `control`.
    public var kind: String
    public var status: OutputStatus
    /// Events that were accepted.
    public var delivered: UInt64 = 0
    /// Events that the receiver refused.
    public var refused: UInt64 = 0
    /// Events that were given up: the queue was full, or offering them again was no use.
    public var dropped: UInt64 = 0
    /// Events other than scans that wait now.
    public var queued = 0
    /// Whether the journal keeps scans until this output has answered for them; `nil` for what isn't served from it.
    public var isRequired: Bool?
    public var mode: DeliveryMode?
    /// The last sequence of the journal that it has answered for, on record; `nil` as long as the journal hasn't said.
    public var cursor: UInt64?
    /// Scans after the cursor.
    public var lag: UInt64?
    public var bytes: UInt64 = 0
    /// Clients connected now; `nil` where the output has no clients.
    public var clients: Int?
    /// Clients that were closed because they didn't read.
    public var slowClientsDropped: UInt64 = 0
    /// The last thing that went wrong, even if it is over.
    public var lastError: String?
    /// When that was, as far as it is known; nanoseconds since 1970.
    public var lastErrorAt: Int64?

    public init(name: String, kind: String, status: OutputStatus) {
        self.name = name
        self.kind = kind
        self.status = status
    }

    /// As `ctl status` and the `status` command show it.
    public var json: JSONValue {
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
