import Glibc
import Settings
import TestSupport

/// A real MQTT broker, Debian's mosquitto, on the loopback address, with its own port, which nobody else gets while it is away.
package final class Broker {
    package var port: Int { place.port }
    private let place: LoopbackSocket
    private let folder = TemporaryFolder()
    private var process: ToolProcess?

    /// - Parameters:
    ///   - lines: more of mosquitto.conf; `{folder}` is a folder of its own.
    ///   - passwords: users, and only they may connect.
    package init(
        _ lines: [String] = [], passwords: [String: String] = [:], files: [String: String] = [:]
    ) async throws {
        place = try LoopbackSocket()
        // Few enough log lines that nobody has to read on.
        let log = ["log_dest stderr", "log_type error", "log_type information"]
        var configuration = ["listener \(place.port) 127.0.0.1", "persistence false"] + log
        // As root it would become another user, which may not read the test's files.
        if geteuid() == 0 { configuration.insert("user root", at: 0) }
        configuration += lines.map { [folder] line in line.replacing("{folder}", with: folder.path) }
        for (name, text) in files { try folder.write(name, text) }
        if passwords.isEmpty {
            configuration.append("allow_anonymous true")
        } else {
            configuration.append("password_file \(folder.file("passwords"))")
            for (index, user) in passwords.sorted(by: { $0.key < $1.key }).enumerated() {
                let create = index == 0 ? ["-c"] : []
                try await ToolProcess.run(
                    "mosquitto_passwd", create + ["-b", folder.file("passwords"), user.key, user.value])
            }
        }
        try folder.write("mosquitto.conf", configuration.joined(separator: "\n") + "\n")
        try await start()
    }

    /// Ends it, and waits until it has.
    package func stop(_ signal: Int32 = SIGTERM) async {
        await process?.stop(signal)
        process = nil
    }

    /// On the same port as before.
    package func restart() async throws { try await start() }

    /// Settings for it.
    package func settings(_ change: (inout MQTTSettings) -> Void = { _ in }) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1")
        settings.port = port
        change(&settings)
        return settings
    }

    private func start() async throws {
        let process = try ToolProcess("mosquitto", ["-c", folder.file("mosquitto.conf")])
        var said: [String] = []
        while let line = await process.output.readLine() {
            if line.hasSuffix("running") {
                self.process = process
                return
            }
            said.append(line)
        }
        throw PeerFailure("mosquitto didn't start: \(said.joined(separator: " | "))")
    }
}
