import Glibc
import Settings
import Testing

/// A real MQTT broker, Debian's mosquitto, on the loopback address and a port of its own.
final class Broker {
    let port: Int
    private let folder = TemporaryFolder()
    private let lines: [String]
    private var process: ToolProcess?

    /// Tries to find a free port: another program may take it between the look and the start.
    private static let attempts = 20

    /// `lines`: more of mosquitto.conf; `{folder}` is a folder of its own. `passwords`: users, and only they may connect.
    init(_ lines: [String] = [], passwords: [String: String] = [:], files: [String: String] = [:]) async throws {
        var configuration = lines
        for (name, text) in files { try #require(folder.write(text, to: name)) }
        if passwords.isEmpty {
            configuration.append("allow_anonymous true")
        } else {
            configuration.append("password_file \(folder.file("passwords"))")
            for (index, user) in passwords.sorted(by: { $0.key < $1.key }).enumerated() {
                let create = index == 0 ? ["-c"] : []
                let arguments = create + ["-b", folder.file("passwords"), user.key, user.value]
                let tool = try #require(ToolProcess("mosquitto_passwd", arguments), Self.missing)
                try #require(await tool.wait() == 0)
            }
        }
        self.lines = configuration.map { [folder] line in line.replacing("{folder}", with: folder.path) }
        var found: (Int, ToolProcess)?
        for _ in 0..<Self.attempts {
            let port = Self.freePort()
            if let process = try await Self.start(port: port, lines: self.lines, folder: folder) {
                found = (port, process)
                break
            }
        }
        let (port, process) = try #require(found, "mosquitto found no free port")
        self.port = port
        self.process = process
    }

    static let missing: Comment = "this test needs mosquitto: apt-get install mosquitto mosquitto-clients"

    func stop(_ signal: Int32 = SIGTERM) async {
        await process?.stop(signal)
        process = nil
    }

    /// On the same port as before.
    func restart() async throws {
        let restarted = try await Self.start(port: port, lines: lines, folder: folder)
        let started: ToolProcess = try #require(restarted, "the broker's port was taken while it was away")
        process = started
    }

    /// Settings for it.
    func settings(_ change: (inout MQTTSettings) -> Void = { _ in }) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1")
        settings.port = port
        change(&settings)
        return settings
    }

    /// `nil`: the port is taken.
    private static func start(port: Int, lines: [String], folder: TemporaryFolder) async throws -> ToolProcess? {
        // Few enough log lines that nobody has to read on.
        let log = ["log_dest stderr", "log_type error", "log_type information"]
        var text = ["listener \(port) 127.0.0.1", "persistence false"] + log + lines
        // As root it would become another user, who may not read the test's files.
        if geteuid() == 0 { text.insert("user root", at: 0) }
        try #require(folder.write(text.joined(separator: "\n") + "\n", to: "mosquitto.conf"))
        // Debian has it where only root's PATH leads.
        let program = access("/usr/sbin/mosquitto", X_OK) == 0 ? "/usr/sbin/mosquitto" : "mosquitto"
        let process = try #require(ToolProcess(program, ["-c", folder.file("mosquitto.conf")]), missing)
        var said: [String] = []
        while let line = await process.output.readLine() {
            if line.hasSuffix("running") { return process }
            said.append(line)
        }
        try #require(
            said.contains { $0.contains("in use") }, "mosquitto didn't start: \(said.joined(separator: " | "))")
        return nil
    }

    static func freePort() -> Int {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = bind(number, pointer, length)
                _ = getsockname(number, pointer, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
