import Payloads
import ScanCore

/// One thing that happened, as outputs and socket clients get it: a line of NDJSON, wire format version 1.
public struct Event: Hashable, Sendable {
    public var stamp: Stamp
    public var body: Body

    public enum Body: Hashable, Sendable {
        case scan(ScanEvent)
        case noRead(NoReadEvent)
        case state(StateEvent)
        case receipt(ReceiptEvent)
        case answer(AnswerEvent)
        case error(ErrorEvent)
    }

    public init(stamp: Stamp, body: Body) {
        self.stamp = stamp
        self.body = body
    }
}

/// When and where: carried by every event.
public struct Stamp: Hashable, Sendable {
    /// Nanoseconds since 1970, UTC, as far as the clock can be trusted.
    public var wallNanoseconds: Int64
    /// Whether the system clock was synchronised then.
    public var isClockSynced: Bool
    /// Kernel boot id.
    public var boot: String
    public var station: String

    public init(wallNanoseconds: Int64, isClockSynced: Bool, boot: String, station: String) {
        self.wallNanoseconds = wallNanoseconds
        self.isClockSynced = isClockSynced
        self.boot = boot
        self.station = station
    }
}

public struct ScanEvent: Hashable, Sendable {
    public var scan: Scan
    public var payload: Payload
    /// Journal id; empty until there is a journal.
    public var journal: String

    public init(scan: Scan, payload: Payload, journal: String = "") {
        self.scan = scan
        self.payload = payload
        self.journal = journal
    }
}

public struct NoReadEvent: Hashable, Sendable {
    public typealias Reason = NoReadReason

    public var session: UInt64
    public var trigger: TriggerMode
    public var reason: Reason
    public var duration: Duration

    public init(session: UInt64, trigger: TriggerMode, reason: Reason, duration: Duration) {
        self.session = session
        self.trigger = trigger
        self.reason = reason
        self.duration = duration
    }
}

/// A part of the station changed: `part` is `camera`, `torch`, `session`, `confirmation`, `output.NAME`, `relay`, `station`…
public struct StateEvent: Hashable, Sendable {
    public var part: String
    public var state: String
    public var reason: String?
    /// What a person should know or do.
    public var detail: String?
    /// More fields, beside the others on the wire.
    public var fields: [String: JSONValue]

    public init(
        part: String, state: String, reason: String? = nil, detail: String? = nil, fields: [String: JSONValue] = [:]
    ) {
        self.part = part
        self.state = state
        self.reason = reason
        self.detail = detail
        self.fields = fields
    }
}

/// Something went wrong that a person or a host should know: `code` is stable, `message` says what to do.
public struct ErrorEvent: Hashable, Sendable {
    public var part: String
    public var code: String
    public var message: String

    public init(part: String, code: String, message: String) {
        self.part = part
        self.code = code
        self.message = message
    }
}
