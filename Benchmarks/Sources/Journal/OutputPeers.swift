import Foundation
import Settings
import TestSupport

/// The other ends of outputs, for a journal with one of each kind that this machine can serve by itself: all except the keyboard, which
/// needs a USB gadget. Standard output goes to /dev/null meanwhile.
final class OutputPeers {
    let settings: [OutputSettings]
    private let broker: Broker
    private let serial: SerialHost
    private let client: LineThread
    private let web: WebPeer
    /// What came in by HTTP and by MQTT.
    private let posted = SeenScans()
    private let published: SeenScans
    /// The benchmark's own standard output.
    private let standardOutput: Int32

    init(folder: String) throws {
        let published = SeenScans()
        self.published = published
        broker = try Broker(folder: folder, topic: "bench/scan") { line, _ in published.take(line) }
        try broker.start()
        try broker.subscribe()
        serial = SerialHost(device: folder + "/serial")
        try serial.plugIn()
        var mqtt = MQTTSettings(host: "127.0.0.1")
        mqtt.port = broker.port
        mqtt.topic = "bench"
        mqtt.discovery = false
        var line = SerialSettings(device: serial.device)
        line.format = FormatSettings("<STX>{seq} {id} {text}<LF>")
        line.acknowledgement = .ackNak
        let (listener, port) = try LoopbackSocket.listen()
        // One client of ours: the TCP output connects to it, and it reads whatever comes.
        client = LineThread(accepting: listener) { _ in }
        web = try WebPeer { [posted] in posted.take($0) }
        fflush(nil)
        standardOutput = dup(STDOUT_FILENO)
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(null, STDOUT_FILENO)
        close(null)
        settings = [
            OutputSettings(name: "stdout", kind: .standardOutput(StandardOutputSettings())),
            OutputSettings(name: "file", kind: .file(FileSettings(path: folder + "/scans.ndjson"))),
            OutputSettings(name: "unix", kind: .unixSocket(UnixSocketSettings(path: folder + "/bench.sock"))),
            OutputSettings(name: "tcp", kind: .tcp(TCPSettings(port: port))),
            OutputSettings(name: "mqtt", kind: .mqtt(mqtt)),
            OutputSettings(name: "serial", kind: .serial(line)),
            OutputSettings(
                name: "webhook", kind: .webhook(WebhookSettings(url: "http://127.0.0.1:\(web.port)/scans"))),
        ]
    }

    /// Scans that the web server and the serial host were given, in order and from the first on. Both answer each one, so that their
    /// outputs have delivered nothing else.
    var arrived: (webhook: Int, serial: Int) { (Int(posted.now.next) - 1, serial.record.count) }

    /// The broker's client may still be reading.
    var publishedSoFar: Int { Int(published.now.next) - 1 }

    func end() {
        web.end()
        fflush(nil)
        dup2(standardOutput, STDOUT_FILENO)
        close(standardOutput)
        broker.end()
        serial.end()
    }
}
