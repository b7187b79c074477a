import Foundation
import Settings
import StationConfiguration
import TestPeers
import TestSupport

/// The other ends of the outputs in docs/outputs. Of the examples only what says where these are is replaced: devices, paths, hosts and ports; and,
/// as the test's certificates are signed by an authority that no system knows, the webhook's authority is named.
final class READMEPeers {
    let serial = SerialCable()
    /// A host that the station connects to, and where it listens itself.
    let tcpHost: TCPHost
    let tcpPlace: LoopbackSocket
    let unixPath: String
    let broker: Broker
    let secureBroker: Broker
    let web: WebServer
    /// For the station: where systemd's credentials are.
    let environment: [String: String]

    private let folder: String
    private let certificates: Certificates
    private static let password = "secret-1"
    private static let hmacKey = "key-of-the-test"
    static let token = "token-of-the-test"

    init(folder: String) async throws {
        self.folder = folder
        certificates = try await Certificates()
        for (name, text) in [
            ("mqtt-password", Self.password), ("webhook-token", Self.token), ("webhook-key", Self.hmacKey),
        ] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        environment = ["CREDENTIALS_DIRECTORY": folder]
        tcpHost = try TCPHost()
        tcpPlace = try LoopbackSocket()
        unixPath = folder + "/scans.sock"
        broker = try await Broker(passwords: ["scanstation": Self.password])
        secureBroker = try await Broker(
            [
                "cafile \(certificates.ca)", "certfile \(certificates.server)", "keyfile \(certificates.serverKey)",
                "require_certificate true",
            ], passwords: ["dock-1": Self.password])
        web = try await WebServer(certificates.webServer)
    }

    /// What both brokers get, as another client of them sees it.
    func subscribe(plain topic: String, secure secureTopic: String) async throws -> (BrokerClient, BrokerClient) {
        let login = ["-u", "scanstation", "-P", Self.password]
        let secureLogin = [
            "-u", "dock-1", "-P", Self.password, "--cafile", certificates.ca, "--cert", certificates.client, "--key",
            certificates.clientKey,
        ]
        return (
            try await BrokerClient(broker, topic, arguments: login),
            try await BrokerClient(secureBroker, secureTopic, arguments: secureLogin)
        )
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
            tcp.port = tcp.role == .client ? tcpHost.port : tcpPlace.port
            output.kind = .tcp(tcp)
        case .mqtt(var mqtt):
            mqtt.host = "127.0.0.1"
            mqtt.port = mqtt.tls == nil ? broker.port : secureBroker.port
            if mqtt.passwordFile != nil { mqtt.passwordFile = folder + "/mqtt-password" }
            if mqtt.tls != nil {
                mqtt.tls?.ca = certificates.ca
                mqtt.tls?.certificate = certificates.client
                mqtt.tls?.key = certificates.clientKey
            }
            output.kind = .mqtt(mqtt)
        case .webhook(var webhook):
            webhook.url = web.url("/signed?key=\(Self.hmacKey)")
            webhook.tokenFile = folder + "/webhook-token"
            webhook.hmacKeyFile = folder + "/webhook-key"
            webhook.tls = TLSSettings()
            webhook.tls?.ca = certificates.ca
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
