import Configuration
import Foundation
import Settings

/// The other ends of the outputs in docs/outputs. Of the examples only what says where these are is replaced: devices, paths, hosts and ports; and,
/// as the test's certificates are signed by an authority that no system knows, the webhook's authority is named.
final class READMEPeers {
    let serial: SerialPeer
    /// A host that the station connects to, and the port that it listens on itself.
    let tcpHost: Task<LinePeer, Never>
    let tcpPort: Int
    let unixPath: String
    let broker: Broker
    let secureBroker: Broker
    let web: WebServer
    /// For the station: where systemd's credentials are.
    let environment: [String: String]

    private let folder: String
    private let authority: TestAuthority
    private let tcpSockets: (client: LoopbackSocket, server: LoopbackSocket)
    private static let hmacKey = "key-of-the-test"
    static let token = "token-of-the-test"

    init(folder: String) async throws {
        self.folder = folder
        authority = try await TestAuthority(folder: folder)
        for (name, text) in [
            ("mqtt-password", "secret-1"), ("webhook-token", Self.token), ("webhook-key", Self.hmacKey),
        ] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        environment = ["CREDENTIALS_DIRECTORY": folder]
        serial = try SerialPeer()
        tcpSockets = (try LoopbackSocket(), try LoopbackSocket())
        tcpHost = try LinePeer.accept(on: tcpSockets.client)
        tcpPort = tcpSockets.server.port
        unixPath = folder + "/scans.sock"
        broker = try await Broker(folder: folder + "/broker", user: "scanstation", password: "secret-1")
        secureBroker = try await Broker(
            folder: folder + "/secure", user: "dock-1", password: "secret-1", authority: authority)
        web = try await WebServer(folder: folder, authority: authority)
    }

    /// The page's output, with its other end here.
    func adapted(_ output: OutputSettings) -> OutputSettings {
        var output = output
        switch output.kind {
        case .serial(var serial):
            serial.device = self.serial.device
            output.kind = .serial(serial)
        case .unixSocket(var unix):
            unix.path = unixPath
            output.kind = .unixSocket(unix)
        case .tcp(var tcp):
            tcp.host = "127.0.0.1"
            tcp.port = tcp.role == .client ? tcpSockets.client.port : tcpPort
            output.kind = .tcp(tcp)
        case .mqtt(var mqtt):
            mqtt.host = "127.0.0.1"
            mqtt.port = mqtt.tls == nil ? broker.port : secureBroker.port
            if mqtt.passwordFile != nil { mqtt.passwordFile = folder + "/mqtt-password" }
            if mqtt.tls != nil {
                mqtt.tls?.ca = authority.ca
                mqtt.tls?.certificate = authority.certificate("client")
                mqtt.tls?.key = authority.key("client")
            }
            output.kind = .mqtt(mqtt)
        case .webhook(var webhook):
            webhook.url = "https://127.0.0.1:\(web.port)/signed?key=\(Self.hmacKey)"
            webhook.tokenFile = folder + "/webhook-token"
            webhook.hmacKeyFile = folder + "/webhook-key"
            webhook.tls = TLSSettings()
            webhook.tls?.ca = authority.ca
            output.kind = .webhook(webhook)
        case .keyboard(var keyboard):
            // Never a gadget of the machine that runs the tests.
            keyboard.device = folder + "/hidg0"
            output.kind = .keyboard(keyboard)
        case .file(var file):
            file.path = folder + "/" + (file.path as NSString).lastPathComponent
            output.kind = .file(file)
        case .standardOutput: break
        }
        return output
    }
}
