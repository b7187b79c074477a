/// A Unix socket besides the control socket: NDJSON events out, commands in.
package struct UnixSocketSettings: Hashable, Sendable {
    package var path: String
    package var mode: UInt32 = 0o660
    package var group: String?
    package var maxClients = 32
    package var clientQueue = 1024
    /// What settles a scan: that it was handed to the clients there are, or an `ack` command of one of them.
    package var receipt: ReceiptKind = .written
    /// How long a client's `ack` may take before the scan is sent again.
    package var ackTimeout: Duration = .seconds(5)

    package init(path: String) { self.path = path }
}
