/// Scans on a serial line: the Pi's UART, a USB adapter, or a USB gadget.
package struct SerialSettings: Hashable, Sendable {
    package enum Parity: String, CaseIterable, Hashable, Sendable { case none, even, odd }
    package enum FlowControl: String, CaseIterable, Hashable, Sendable { case none, rtscts, xonxoff }
    package enum Acknowledgement: String, CaseIterable, Hashable, Sendable {
        /// "Written" is the receipt.
        case none
        /// The host answers each scan with ACK (0x06) or NAK (0x15).
        case ackNak
    }

    package var device: String
    package var baud: Int = 115_200
    /// 7 or 8.
    package var dataBits = 8
    package var parity: Parity = .none
    /// 1 or 2.
    package var stopBits = 1
    package var flowControl: FlowControl = .none
    /// What is written for a scan.
    package var format = FormatSettings("{text}<CR><LF>")
    package var acknowledgement: Acknowledgement = .none
    /// How long an ACK may take, and how many times a scan is sent again after a NAK or no answer.
    package var ackTimeout: Duration = .seconds(2)
    package var retries = 2
    /// How long after a scan was sent its answer may still come: while one is owed, no other scan is sent. `nil`: five times `ackTimeout`.
    package var answerLimit: Duration?

    package init(device: String) { self.device = device }
}

extension SerialSettings: OutputKind {
    package static let key = "serial"
    package static let receiverAdvice = "check the cable and outputs.serial.device"
    package static let sample = SerialSettings(device: "/dev/serial0")
    package static let what = "A serial device: the Pi's UART, a USB adapter, or a gadget."
    package static let starter = """
        - serial:
            device: /dev/serial0      # a USB adapter: see /dev/serial/by-id
            baud: 115200
        """
    package static let isUsuallyRequired = true
    package var kind: OutputSettings.Kind { .serial(self) }
    package var place: String? { device }
    package var exclusive: (what: String, key: String)? { (device, "device") }
    package var files: [OutputFile] { [OutputFile("device", device, .device)].compactMap { $0 } }
}
