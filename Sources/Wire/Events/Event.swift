import Payloads
import Vocabulary

/// One thing that happened, as outputs and socket clients get it: a line of NDJSON, wire format version 1.
package struct Event: Hashable, Sendable {
    package var stamp: Stamp
    package var body: Body

    package enum Body: Hashable, Sendable {
        case scan(ScanEvent)
        case noRead(NoReadEvent)
        case unread(UnreadEvent)
        case state(StateEvent)
        case receipt(ReceiptEvent)
        case answer(AnswerEvent)
        case error(ErrorEvent)
    }

    package init(stamp: Stamp, body: Body) {
        self.stamp = stamp
        self.body = body
    }
}

/// When and where: carried by every event.
package struct Stamp: Hashable, Sendable {
    /// Nanoseconds since 1970, UTC, by the system clock.
    package var wallNanoseconds: Int64
    /// Whether the system clock was synchronised then.
    package var isClockSynced: Bool
    /// Kernel boot id.
    package var boot: String
    package var station: String

    package init(wallNanoseconds: Int64, isClockSynced: Bool, boot: String, station: String) {
        self.wallNanoseconds = wallNanoseconds
        self.isClockSynced = isClockSynced
        self.boot = boot
        self.station = station
    }
}

/// A scan, with what its text means and the journal that it is kept in.
package struct ScanEvent: Hashable, Sendable {
    package var scan: Scan
    package var payload: Payload
    /// Journal id; empty until there is a journal.
    package var journal: String
    /// Made up for one output on request; it is in no journal, and no answer to it counts.
    package var isTest = false

    package init(scan: Scan, payload: Payload, journal: String = "") {
        self.scan = scan
        self.payload = payload
        self.journal = journal
    }
}

/// The end of a session without a scan.
package struct NoReadEvent: Hashable, Sendable {
    package typealias Reason = NoReadReason

    package var session: UInt64
    package var trigger: TriggerMode
    package var reason: Reason
    package var duration: Duration
    /// What was before the camera and couldn't be read; the likeliest code.
    package var unread: UnreadCode?

    package init(
        session: UInt64, trigger: TriggerMode, reason: Reason, duration: Duration, unread: UnreadCode? = nil
    ) {
        self.session = session
        self.trigger = trigger
        self.reason = reason
        self.duration = duration
        self.unread = unread
    }
}

/// A part of the station changed: `part` is `camera`, `torch`, `session`, `confirmation`, `output.NAME`, `relay`, `station`…
package struct StateEvent: Hashable, Sendable {
    package var part: String
    package var state: String
    package var reason: String?
    /// What a person should know or do.
    package var detail: String?
    /// More fields, on the wire beside the others.
    package var fields: [String: JSONValue]

    package init(
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
package struct ErrorEvent: Hashable, Sendable {
    package var part: String
    package var code: String
    package var message: String

    package init(part: String, code: String, message: String) {
        self.part = part
        self.code = code
        self.message = message
    }
}
