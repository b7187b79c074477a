/// A Unix socket besides the control socket: NDJSON events out, commands in.
package struct UnixSocketSettings: Hashable, Sendable {
    package var path: String
    package var mode: UInt32 = 0o660
    package var group: String?
    package var maxClients = 32
    package var clientQueue = 1024
    /// What settles a scan: handing it to all connected clients, or an `ack` command from one of them.
    package var receipt: ReceiptKind = .written
    /// How long a client's `ack` may take before the scan is sent again.
    package var ackTimeout: Duration = .seconds(5)

    package init(path: String) { self.path = path }
}

extension UnixSocketSettings: OutputKind {
    package static let key = "unix"
    package static let page = "unix-socket"
    package static let receiverAdvice = "check that a program is connected and reads"
    package static let sample = UnixSocketSettings(path: "/run/scanstation/scans.sock")
    package static let what = "A Unix socket besides the control socket."
    package static let starter = """
        - unix:
            path: /run/scanstation/scans.sock
        """
    package static let isUsuallyRequired = false
    package var kind: OutputSettings.Kind { .unixSocket(self) }
    package var place: String? { path }
    package var exclusive: (what: String, key: String)? { (path, "path") }
    package var files: [OutputFile] { [OutputFile("path", path, .socket)].compactMap { $0 } }
    package var clientLimit: Int { maxClients }
}
