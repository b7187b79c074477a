/// Scans over TCP, to a host that listens or to clients that connect.
package struct TCPSettings: Hashable, Sendable {
    package enum Role: String, CaseIterable, Hashable, Sendable {
        /// Connects to `host`, again and again until it is there.
        case client
        /// Listens on `host` (an address of this machine). Every client gets every scan; scans wait while there is none.
        case server
    }

    package var role: Role = .client
    /// Name or address. By default, a server listens on the loopback address: the connection isn't encrypted.
    package var host = "127.0.0.1"
    /// 1…65535.
    package var port: Int
    package var lines: LineFormat = .json
    /// With `lines: template`.
    package var format = FormatSettings("{text}<CR><LF>")
    /// With `lines: json`: every event, or scans only.
    package var scansOnly = true
    /// `ack`: the peer answers each scan, in JSON with `{"command":"ack","id":…}` (also `accept`, `refuse`), in a template
    /// mode with the byte ACK (0x06) or NAK (0x15). `written`: the kernel took it, but a host that dies may not have read it.
    package var receipt: ReceiptKind = .written
    package var ackTimeout: Duration = .seconds(5)
    /// With a template: a serial device server may still deliver on a new connection what answers a scan that was sent on an earlier one. After so much
    /// silence there it won't. `nil`: twice `ackTimeout`, at least ten seconds.
    package var answerLimit: Duration?
    /// Whether peers may send commands other than answers (`trigger`, `torch`…): off, because the connection isn't protected.
    package var commands = false
    package var connectTimeout: Duration = .seconds(10)
    /// How many clients a server takes at once.
    package var maxClients = 16
    /// Events that may wait for a server's client before it is dropped and counted.
    package var clientQueue = 1024

    package init(port: Int) { self.port = port }
}

extension TCPSettings: OutputKind {
    package static let key = "tcp"
    package static let receiverAdvice =
        "check that the host runs and listens at outputs.tcp.host and port, and the network"
    package static let sample = TCPSettings(port: 9100)
    package static let what = "TCP, as a client or a server."
    package static let starter = """
        - tcp:
            host: 192.168.1.20        # the computer that listens, for instance with: nc -lk 9100
            port: 9100
            lines: template           # one line of text a scan; json: all that is known of it
            template: '{text}<LF>'
        """
    package static let isUsuallyRequired = true
    package var kind: OutputSettings.Kind { .tcp(self) }
    package var place: String? {
        switch role {
        case .client: "\(host):\(port)"
        case .server: "listens on \(host):\(port)"
        }
    }
    package var exclusive: (what: String, key: String)? { ("\(role.rawValue) \(host):\(port)", "port") }
    package var clientLimit: Int { role == .server ? maxClients : 0 }
    package var lineFormat: LineFormat? { lines }
}
