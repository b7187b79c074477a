/// The sending side of the serial host handshake: each record is answered with ACK (0x06) or NAK (0x15); after a NAK or
/// silence it is sent again, up to `retries` times. (Honeywell's "host ACK"; Zebra SSI has the same shape with 2 s and two
/// retries, which are the defaults of `SerialSettings`.)
///
/// ```
///            send                 written               ACK: accepted
///   idle ───────────▶ sending ─────────────▶ waiting ──▶ NAK, too often: refused
///    ▲                   ▲                      │        silence, too often: silent
///    │                   └── NAK or time-out ───┤
///    └───────────────────────────────── finished┘
/// ```
/// A byte that arrives before the whole record was written answers an earlier transmission and is ignored, as is anything
/// but ACK and NAK.
public struct SerialAckMachine: Hashable, Sendable {
    public static let ack: UInt8 = 0x06
    public static let nak: UInt8 = 0x15

    public enum Outcome: Hashable, Sendable {
        case accepted
        /// The host answered NAK to the last transmission.
        case refused(transmissions: Int)
        /// The host didn't answer the last transmission in time.
        case silent(transmissions: Int)
    }

    public enum Event: Hashable, Sendable {
        case send
        /// The whole record was handed to the line.
        case written
        case received(UInt8)
        /// The time asked for by `wakeAt` has come.
        case timer
        /// The line is gone or the station stops.
        case abandon
    }

    public enum Action: Hashable, Sendable {
        /// Forget what was received so far and write the record.
        case transmit
        case wakeAt(Instant?)
        case finished(Outcome)
    }

    private enum Phase: Hashable, Sendable {
        case idle
        case sending(transmission: Int)
        case waiting(transmission: Int, until: Instant)
    }

    public let timeout: Duration
    /// Transmissions after the first.
    public let retries: Int
    private var phase: Phase = .idle

    public init(timeout: Duration, retries: Int) {
        self.timeout = timeout
        self.retries = max(0, retries)
    }

    public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        switch (event, phase) {
        case (.send, .idle):
            phase = .sending(transmission: 1)
            return [.transmit]
        case (.written, .sending(let transmission)):
            let until = now.advanced(by: timeout)
            phase = .waiting(transmission: transmission, until: until)
            return [.wakeAt(until)]
        case (.received(Self.ack), .waiting):
            phase = .idle
            return [.wakeAt(nil), .finished(.accepted)]
        case (.received(Self.nak), .waiting(let transmission, _)):
            return [.wakeAt(nil)] + again(after: transmission, else: .refused(transmissions: transmission))
        case (.timer, .waiting(let transmission, let until)):
            guard now >= until else { return [.wakeAt(until)] }
            return again(after: transmission, else: .silent(transmissions: transmission))
        case (.abandon, .waiting):
            phase = .idle
            return [.wakeAt(nil)]
        case (.abandon, .sending):
            phase = .idle
            return []
        default:
            return []
        }
    }

    private mutating func again(after transmission: Int, else outcome: Outcome) -> [Action] {
        guard transmission <= retries else {
            phase = .idle
            return [.finished(outcome)]
        }
        phase = .sending(transmission: transmission + 1)
        return [.transmit]
    }
}
