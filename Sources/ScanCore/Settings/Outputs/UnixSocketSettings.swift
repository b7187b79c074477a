/// A Unix socket besides the control socket: NDJSON events out, commands in.
public struct UnixSocketSettings: Hashable, Sendable {
    public var path: String
    public var mode: UInt32 = 0o660
    public var group: String?
    public var maxClients = 32
    public var clientQueue = 1024
    /// What settles a scan: that it was handed to the clients there are, or an `ack` command of one of them.
    public var receipt: ReceiptKind = .written
    /// How long a client's `ack` may take before the scan is sent again.
    public var ackTimeout: Duration = .seconds(5)

    public init(path: String) { self.path = path }
}
