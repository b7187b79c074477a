import Foundation
import Settings
import StationConfiguration
import TestPeers
import TestSupport
import Testing
import Vocabulary
import Wire

/// The examples of docs/outputs at work: a station with all of them delivers to real peers. Nothing but the test's own ports is connected to,
/// whatever runs on this machine.
@Suite("Documents: outputs", .timeLimit(.minutes(10)))
final class DocumentDeliveryTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "cl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A code of the demo scene; the only EAN-13 that is read first.
    private static let text = "2098765000425"

    /// The station's name, in topics.
    private static let name = "dock-1"

    @Test("a station with all the outputs of docs/outputs at once delivers a scan to the other end of each")
    func deliver() async throws {
        let peers = try await READMEPeers(folder: folder)
        let settings = try settings(peers)
        let path = folder + "/station.yaml"
        try StationConfiguration.show(settings).write(toFile: path, atomically: true, encoding: .utf8)
        let (plain, secure) = try await peers.subscribe(plain: "scanstation/#", secure: "warehouse/#")

        let socket = folder + "/s.sock"
        let station = try Executable.start(
            ["run", "--simulate", "--plain", "--config", path, "--socket", socket], environment: peers.environment)
        defer { station.send(SIGKILL) }
        let outputs = ["outputs", "--socket", socket, "--timeout", "300", "--config", path]
        let unix = try await client(of: station, asking: outputs) { RawClient.connect(peers.unixPath) }
        let tcpClient = try await client(of: station, asking: outputs) { TCPHost.connect(peers.tcpPlace.port) }
        let tcpHost = await peers.tcpHost.accept()

        // Each page's example gives what the page says.
        _ = try await station.line(with: Self.text)
        _ = try #require(await peers.serial.host.line(with: "\(Self.text)\r"))
        _ = try #require(await tcpHost.line(with: "d\(Self.text)\r"))
        let lines = [
            try #require(await unix.line(with: Self.text)),
            try #require(await tcpClient.line(with: Self.text)),
            try #require(await plain.first("scanstation/\(Self.name)/scan")).payload,
            try #require(await secure.first("warehouse/\(Self.name)/scan")).payload,
            try await posted(to: peers.web),
        ]
        let events = try lines.map { try JSONValue(parsing: Array($0.utf8)) }
        for event in events {
            #expect(event["type"] == "scan")
            #expect(event["text"] == .string(Self.text))
            #expect(event["symbology"] == "ean_13")
        }

        // Until each has its receipt: hosts that have to answer do so as often as they are asked, for a busy machine's time-outs.
        let id = try #require(events[0]["id"]?.stringValue)
        let sequence = try #require(events[0]["seq"]?.integerValue)
        let names = Set(settings.outputs.map(\.name)).subtracting([Self.keyboard])
        let acknowledgement = #"{"command":"ack","id":"\#(id)"}"# + "\n"
        while try await accepted(sequence) != names, station.isRunning {
            await peers.serial.host.write("\u{6}")
            await unix.write(acknowledgement)
            await tcpClient.write(acknowledgement)
        }
        #expect(try await accepted(sequence) == names)

        let listed = try await Executable.run(outputs)
        #expect(listed.status == 0)
        for output in settings.outputs { #expect(listed.output.contains("\n\(output.name) ")) }
        #expect(listed.output.contains("  → "), "what is in the way of the keyboard")
        station.send(SIGTERM)
        #expect(await station.end().status == 0)
        let archive = try String(contentsOfFile: folder + "/scans.ndjson", encoding: .utf8)
        #expect(archive.contains(#""symbology":"ean_13""#))
        let table = try String(contentsOfFile: folder + "/scans.csv", encoding: .utf8)
        #expect(table.contains(",ean_13,0"))
    }

    /// Connects as soon as the station listens, which is asked how it is between two attempts.
    private func client(
        of station: RunningExecutable, asking question: [String], _ connect: () -> ByteEnd?
    ) async throws -> ByteEnd {
        while true {
            if let client = connect() { return client }
            guard station.isRunning else { throw RunningExecutable.Ended(result: await station.end()) }
            _ = try await Executable.run(question)
        }
    }

    /// It has no gadget here.
    private static let keyboard = "keyboard"

    private func settings(_ peers: READMEPeers) throws -> StationSettings {
        var settings = StationSettings()
        settings.name = Self.name
        settings.outputs = []
        for name in Document.names where name.hasPrefix("docs/outputs/") {
            for block in try Document(name).blocks("yaml") where block.text.contains("outputs:") {
                let loaded = try StationConfiguration.parse(yaml: block.text, file: block.testDescription)
                settings.outputs += loaded.settings.outputs.map(peers.adapted)
            }
        }
        #expect(settings.outputs.count >= 11, "an example is missing")
        #expect(Set(settings.outputs.map(\.name)).count == settings.outputs.count, "two examples have one name")
        settings.journal.folder = folder + "/state"
        settings.reading.symbologies = [.ean13: .standard(for: .ean13)]
        return settings
    }

    /// The body, which the server has found genuine; a request whose signature is wrong gets 401 and no receipt.
    private func posted(to server: WebServer) async throws -> String {
        let request = try await server.request()
        let headers = request.headers
        #expect(headers["authorization"] == "Bearer \(READMEPeers.token)")
        #expect(headers["x-dock"] == "1")
        #expect(headers["x-scanstation-signature"]?.hasPrefix("t=") == true)
        return String(decoding: request.body, as: UTF8.self)
    }

    /// Outputs whose receipt for the scan says "accepted".
    private func accepted(_ sequence: Int64) async throws -> Set<String> {
        let shown = try await Executable.run(
            ["journal", "show", String(sequence), "--json", "--folder", folder + "/state/simulated"])
        let receipts = try JSONValue(parsing: Array(shown.output.utf8))["receipts"]?.arrayValue ?? []
        return Set(receipts.filter { $0["outcome"] == "accepted" }.compactMap { $0["output"]?.stringValue })
    }
}
