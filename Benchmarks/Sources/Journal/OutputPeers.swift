import Foundation
import ScanCore

/// The other ends of outputs, for a journal with one of each kind attached that this machine can serve by itself. (A webhook needs
/// an HTTP server, a keyboard a USB gadget.) Standard output goes to /dev/null meanwhile.
final class OutputPeers {
    let settings: [OutputSettings]
    private let broker: Broker
    private let serial: SerialHost
    private let client: LineThread
    /// The benchmark's own standard output.
    private let standardOutput: Int32

    init(folder: String) throws {
        broker = try Broker(folder: folder, topic: "bench/scan") { _, _ in }
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
        let (listener, port) = try Loopback.listen()
        // One client of ours: the TCP output connects to it, and it reads whatever comes.
        client = LineThread(accepting: listener) { _ in }
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
        ]
    }

    func end() {
        fflush(nil)
        dup2(standardOutput, STDOUT_FILENO)
        close(standardOutput)
        broker.end()
        serial.end()
    }
}
