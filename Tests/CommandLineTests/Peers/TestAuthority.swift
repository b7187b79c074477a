/// Certificates of one test, made by the `openssl` command.
struct TestAuthority {
    let folder: String

    var ca: String { folder + "/ca.pem" }

    func certificate(_ name: String) -> String { "\(folder)/\(name).pem" }
    func key(_ name: String) -> String { "\(folder)/\(name).key" }

    init(folder: String) async throws {
        self.folder = folder
        try await make("ca", subject: "ScanStation test authority", [])
        let signed = ["-CA", ca, "-CAkey", key("ca"), "-addext", "basicConstraints=critical,CA:FALSE"]
        try await make("server", subject: "localhost", signed + ["-addext", "subjectAltName=IP:127.0.0.1"])
        try await make("client", subject: "scanstation", signed)
    }

    private func make(_ name: String, subject: String, _ more: [String]) async throws {
        try await Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-keyout",
                key(name), "-out", certificate(name), "-subj", "/CN=\(subject)",
            ] + more)
    }
}
