/// Scans over TCP, to a host that listens or to clients that connect.
public struct TCPSettings: Hashable, Sendable {
    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// Connects to `host`, again and again until it is there.
        case client
        /// Listens on `host` (an address of this machine). Every client gets every scan; scans wait while there is none.
        case server
    }

    public var role: Role = .client
    /// Name or address. A server listens on the loopback address unless told otherwise: the line isn't encrypted.
    public var host = "127.0.0.1"
    /// 1…65535.
    public var port: Int
    public var lines: LineFormat = .json
    /// With `lines: template`.
    public var format = FormatSettings("{text}<CR><LF>")
    /// With `lines: json`: every event, or scans only.
    public var scansOnly = true
    /// `ack`: the peer answers each scan, in JSON with `{"command":"ack","id":…}` (also `accept`, `refuse`), in a template
    /// mode with the byte ACK (0x06) or NAK (0x15). `written`: the kernel took it, which a host that dies may not have read.
    public var receipt: ReceiptKind = .written
    public var ackTimeout: Duration = .seconds(5)
    /// Whether peers may send other commands than answers (`trigger`, `torch`…): off, as the line isn't protected.
    public var commands = false
    public var connectTimeout: Duration = .seconds(10)
    /// A server's clients at once.
    public var maxClients = 16
    /// Events that may wait for a server's client before it is dropped and counted.
    public var clientQueue = 1024

    public init(port: Int) { self.port = port }
}
