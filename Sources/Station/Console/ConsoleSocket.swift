import Control
import Linux
import Logging
import Settings
import Vocabulary
import Wire

/// The console's socket, and who is watching through it.
///
/// Belongs to the station's actor.
final class ConsoleSocket {
    /// How often a socket that couldn't be made is tried again.
    private static let retryInterval: Duration = .seconds(5)

    private var watch = ConsoleWatch()
    private var retrying: Task<Void, Never>?
    private let server: ControlServer?
    private let voice: StationVoice

    /// - Parameter server: its socket; `nil`: `console.enabled` is off.
    init(_ server: ControlServer?, voice: StationVoice) { (self.server, self.voice) = (server, voice) }

    // MARK: The socket

    /// A console is a convenience: what keeps its socket from being made is reported, and the station goes on and tries again.
    func serve(in station: isolated Station) async {
        guard let server, let problem = await tryToServe(server, told: nil) else { return }
        retrying = Self.retry(server, told: problem, for: station)
    }

    private static func retry(_ server: ControlServer, told: String, for station: Station) -> Task<Void, Never> {
        Task { [weak station] in
            var problem: String? = told
            while let told = problem {
                do { try await Task.sleep(for: retryInterval) } catch { return }
                guard let station, await !station.isStopping else { return }
                problem = await station.run { await $0.desk.socket.tryToServe(server, told: told) }
            }
        }
    }

    /// Returns what is in the way; `nil`: it is served.
    private nonisolated(nonsending) func tryToServe(_ server: ControlServer, told: String?) async -> String? {
        do throws(ControlError) {
            try await server.start()
            if told != nil { voice.note(.notice, kind: "console", "its socket \(server.path) is there now") }
            return nil
        } catch {
            if told != error.message { voice.complain("console", "socket", error.message, .warning) }
            return error.message
        }
    }

    func stop() { retrying?.cancel() }

    // MARK: Who is watching

    func handle(_ notice: ControlNotice) {
        if case .disconnected(let client) = notice, watch.count > 0 {
            watch.left(client.number)
            tellViewers()
        }
        let (level, text) = notice.logLine
        voice.note(level, kind: "console", text)
    }

    /// A console says of itself what it is, and how many look through it. Other clients may say `hello`, too, and aren't counted.
    func hello(_ said: ConsoleHello, from client: ClientID?) {
        guard let client, client.door == StationParts.consoleDoor else { return }
        watch.hello(said, from: client.number)
        tellViewers()
    }

    /// How many people look at the station now.
    var viewers: Int { watch.viewers }

    private func tellViewers() {
        guard let viewers = watch.news() else { return }
        voice.publish(
            state: viewers == 0 ? "alone" : "watched", of: "console", fields: ["viewers": .integer(Int64(viewers))],
            toOutputs: false)
    }

    var networkPages: [String] {
        watch.pages.filter(\.isOnNetwork).flatMap { MachineNames.pages(port: $0.port, isOnNetwork: true) }
    }

    /// For `status`.
    /// - Parameter hasDoor: `console.door`.
    func status(hasDoor: Bool) -> JSONValue {
        guard let server else { return .object(["enabled": false]) }
        return .object([
            "enabled": true, "socket": .string(server.path), "door": .bool(hasDoor),
            "consoles": .integer(Int64(watch.count)), "viewers": .integer(Int64(watch.viewers)),
            "versions": .array(watch.versions.map(JSONValue.string)),
            "addresses": .array(
                watch.pages.flatMap { MachineNames.pages(port: $0.port, isOnNetwork: $0.isOnNetwork) }
                    .map(JSONValue.string)),
        ])
    }
}
