/// Scans on a serial line: the Pi's UART, a USB adapter, or a USB gadget.
public struct SerialSettings: Hashable, Sendable {
    public enum Parity: String, CaseIterable, Hashable, Sendable { case none, even, odd }
    public enum FlowControl: String, CaseIterable, Hashable, Sendable { case none, rtscts, xonxoff }
    public enum Acknowledgement: String, CaseIterable, Hashable, Sendable {
        /// "Written" is the receipt.
        case none
        /// The host answers each scan with ACK (0x06) or NAK (0x15).
        case ackNak
    }

    public var device: String
    public var baud: Int = 115_200
    /// 7 or 8.
    public var dataBits = 8
    public var parity: Parity = .none
    /// 1 or 2.
    public var stopBits = 1
    public var flowControl: FlowControl = .none
    /// What is written for a scan.
    public var format = FormatSettings("{text}<CR><LF>")
    public var acknowledgement: Acknowledgement = .none
    /// How long an ACK may take, and how often a scan is sent again after a NAK or none.
    public var ackTimeout: Duration = .seconds(2)
    public var retries = 2
    /// How long after a scan was sent its answer may still come: as long as one is owed, no other scan is sent. `nil`: five
    /// times `ackTimeout`.
    public var answerLimit: Duration?

    public init(device: String) { self.device = device }
}
