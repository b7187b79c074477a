/// Certificates for one run of the tests, made by the `openssl` command.
package final class Certificates: Sendable {
    /// Two authorities; the second is one that nobody trusts.
    package var ca: String { folder.file("ca.pem") }
    package var otherCA: String { folder.file("other.pem") }
    /// For `localhost` and 127.0.0.1.
    package var server: String { folder.file("server.pem") }
    package var serverKey: String { folder.file("server.key") }
    /// For a name that no test connects to.
    package var elsewhere: String { folder.file("elsewhere.pem") }
    package var elsewhereKey: String { folder.file("elsewhere.key") }
    package var client: String { folder.file("client.pem") }
    package var clientKey: String { folder.file("client.key") }

    /// The server's, as the web server of the tests takes them.
    package var webServer: [String] { ["--certificate", server, "--key", serverKey] }

    private let folder = TemporaryFolder()

    package init() async throws {
        for name in ["ca", "other"] { try await make(name, subject: "ScanStation test authority \(name)") }
        try await make("server", subject: "localhost", names: "DNS:localhost,IP:127.0.0.1")
        try await make("elsewhere", subject: "elsewhere.test", names: "DNS:elsewhere.test")
        try await make("client", subject: "scanstation")
    }

    private func make(_ name: String, subject: String, names: String? = nil) async throws {
        var arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-keyout", folder.file("\(name).key"), "-out", folder.file("\(name).pem"), "-subj", "/CN=\(subject)",
        ]
        if name != "ca", name != "other" {
            arguments += ["-CA", folder.file("ca.pem"), "-CAkey", folder.file("ca.key")]
            arguments += ["-addext", "basicConstraints=critical,CA:FALSE"]
        }
        if let names { arguments += ["-addext", "subjectAltName=\(names)"] }
        try await ToolProcess.run("openssl", arguments)
    }
}
