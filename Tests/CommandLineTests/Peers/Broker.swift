import Foundation

/// A real MQTT broker, Debian's mosquitto, on a port of its own, that takes one user only; and an independent client of it.
final class Broker {
    let port: Int
    private let place: LoopbackSocket
    private let process: RunningExecutable
    private let login: [String]
    private var clients: [RunningExecutable] = []

    /// With an authority it speaks TLS only, and asks for a certificate.
    init(folder: String, user: String, password: String, authority: TestAuthority? = nil) async throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        place = try LoopbackSocket()
        port = place.port
        let passwords = folder + "/passwords"
        try await Tool.run("mosquitto_passwd", ["-c", "-b", passwords, user, password])
        var lines = ["listener \(port) 127.0.0.1", "password_file \(passwords)", "log_dest stderr", "log_type all"]
        // As root it would become another user, who may not read the test's files.
        if geteuid() == 0 { lines.insert("user root", at: 0) }
        var login = ["-h", "127.0.0.1", "-p", "\(port)", "-u", user, "-P", password]
        if let authority {
            lines += [
                "cafile \(authority.ca)", "certfile \(authority.certificate("server"))",
                "keyfile \(authority.key("server"))", "require_certificate true",
            ]
            login += [
                "--cafile", authority.ca, "--cert", authority.certificate("client"), "--key", authority.key("client"),
            ]
        }
        self.login = login
        let configuration = folder + "/mosquitto.conf"
        try lines.joined(separator: "\n").appending("\n").write(
            toFile: configuration, atomically: true, encoding: .utf8)
        process = try Tool.start("mosquitto", ["-c", configuration])
        _ = try await process.errorLine(with: " running")
    }

    deinit { for process in [process] + clients { process.send(SIGKILL) } }

    /// Lines of topic and payload, from now on; returns when the broker has taken note of the subscription.
    func subscribe(_ topic: String) async throws -> RunningExecutable {
        try await Tool.run("mosquitto_pub", login + ["-q", "1", "-r", "-t", "test/ready", "-m", "now"])
        let client = try Tool.start(
            "mosquitto_sub", login + ["-q", "1", "-t", topic, "-t", "test/ready", "-F", "%t %p"])
        clients.append(client)
        _ = try await client.line(with: "test/ready now")
        return client
    }
}
