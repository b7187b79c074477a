import Wire

/// What a person can do about an output that doesn't deliver, by its kind and state.
enum OutputAdvice {
    /// `nil`: nothing has to be done.
    static func text(_ report: OutputReport) -> String? {
        switch report.status.state {
        case .idle, .ready, .connecting, .stopped: return report.lastError == nil ? nil : passed
        case .stalled:
            return "its receiver takes nothing at the moment: \(receiver(report.kind)); scans wait in the journal"
        case .waiting: return "it tries again by itself: \(receiver(report.kind)); scans wait in the journal"
        case .failed: return "it doesn't try again: \(receiver(report.kind)), then restart the station"
        }
    }

    private static let passed = "it works again: nothing has to be done"

    private static func receiver(_ kind: String) -> String {
        switch kind {
        case "serial": "check the cable and outputs.serial.device"
        case "tcp": "check that the host runs and listens at outputs.tcp.host and port, and the network"
        case "mqtt": "check that the broker runs, outputs.mqtt.host, its user and its certificate"
        case "webhook": "check the URL, the server's log and the network"
        case "unix": "check that a program is connected and reads"
        case "file": "check the folder, its owner and the room on the disk"
        case "keyboard": "check that the USB cable leads to a computer that is on"
        case "stdout": "check whoever reads the station's standard output"
        default: "see its detail"
        }
    }
}
