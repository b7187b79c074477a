import Payloads
import Settings
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

    /// The event's type on the wire.
    package var type: String {
        switch body {
        case .scan: "scan"
        case .noRead: "noRead"
        case .unread: "unread"
        case .state: "state"
        case .receipt: "receipt"
        case .answer: "answer"
        case .error: "error"
        }
    }

    /// Every value `type` can have.
    package static let types = ["scan", "noRead", "unread", "state", "receipt", "answer", "error"]

    /// The wire format's version, `v` of each line.
    package static let version = 1

    /// The event as one line of NDJSON, newline included. Keys come in a fixed order.
    package func line(secrets: SecretPolicy) -> [UInt8] {
        var json = beginLine()
        switch body {
        case .scan(let event):
            json.member(.id, of: event)
            json.place(of: event)
            if event.isTest { json.member("test", true) }
            writeRest(of: event, secrets: secrets, to: &json)
        case .noRead(let event): write(event, to: &json)
        case .unread(let event): write(event, to: &json)
        case .state(let event): write(event, to: &json)
        case .receipt(let event): write(event, to: &json)
        case .answer(let event): write(event, to: &json)
        case .error(let event): write(event, to: &json)
        }
        json.endObject()
        json.newline()
        return json.bytes
    }

    /// The same as a value, for programs that put it into something larger. Made of the line, so that both say the same.
    package func value(secrets: SecretPolicy) -> JSONValue {
        (try? JSONValue(parsing: line(secrets: secrets))) ?? .null
    }

    func beginLine() -> JSONWriter {
        var json = JSONWriter(reserving: 768)
        json.beginObject()
        json.key("v")
        json.integer(Event.version)
        json.member("type", type)
        return json
    }

    private func writeStamp(to json: inout JSONWriter) {
        json.member(StampField.time.rawValue, field: stamp.value(of: .time))
        json.member("clock", stamp.isClockSynced ? "synced" : "unsynced")
        json.member("boot", stamp.boot)
        json.member(StampField.station.rawValue, field: stamp.value(of: .station))
    }

    /// What comes after the scan's place in the journal.
    func writeRest(of event: ScanEvent, secrets: SecretPolicy, to json: inout JSONWriter) {
        let scan = event.scan
        writeStamp(to: &json)
        json.member(.trigger, of: event)
        json.member(.session, of: event)
        SymbolWriter.write(scan.symbol, payload: event.payload, secrets: secrets, to: &json)
        json.key("reads")
        json.integer(scan.reads)
        json.key("decodeMs")
        json.fixed(scan.decodeTime.milliseconds, decimals: 3)
        json.key("frame")
        write(scan.frame, acceptedAt: scan.acceptedAt, to: &json)
    }

    private func write(_ frame: FrameInfo, acceptedAt: Instant, to json: inout JSONWriter) {
        json.beginObject()
        json.key("seq")
        json.unsigned(frame.sequence)
        json.key("exposedMs")
        json.fixed(Double(frame.exposedAt.nanoseconds) / 1_000_000, decimals: 3)
        json.key("deliveredMs")
        json.fixed(Double(frame.deliveredAt.nanoseconds) / 1_000_000, decimals: 3)
        json.key("latencyMs")
        json.fixed(frame.exposedAt.duration(to: acceptedAt).milliseconds, decimals: 3)
        json.member("exposureUs", frame.exposureMicroseconds)
        json.member("gain", fixed: frame.gain.map(Double.init), decimals: 3)
        json.member("lux", fixed: frame.lux.map(Double.init), decimals: 2)
        json.member("focusFoM", frame.focusFoM)
        json.member("focusState", frame.focusState?.rawValue)
        json.member("lensPosition", fixed: frame.lensPosition.map(Double.init), decimals: 3)
        json.member("label", frame.label)
        json.endObject()
    }

    private func write(_ event: NoReadEvent, to json: inout JSONWriter) {
        writeStamp(to: &json)
        json.member("trigger", event.trigger.rawValue)
        json.key("session")
        json.unsigned(event.session)
        json.member("reason", event.reason.rawValue)
        json.key("durationMs")
        json.fixed(event.duration.milliseconds, decimals: 3)
        if let unread = event.unread {
            json.key("unread")
            json.value(unread.json)
        }
    }

    private func write(_ event: UnreadEvent, to json: inout JSONWriter) {
        writeStamp(to: &json)
        json.key("codes")
        json.value(.array(event.codes.map(\.json)))
    }

    private func write(_ event: StateEvent, to json: inout JSONWriter) {
        writeStamp(to: &json)
        json.member("part", event.part)
        json.member("state", event.state)
        json.member("reason", event.reason)
        json.member("detail", event.detail)
        json.members(event.fields, besides: Event.stateKeys)
    }

    private static let stateKeys: Set<String> = [
        "v", "type", "time", "clock", "boot", "station", "part", "state", "reason", "detail",
    ]

    private func write(_ event: ReceiptEvent, to json: inout JSONWriter) {
        writeStamp(to: &json)
        json.member("output", event.output)
        json.member("scan", event.scan)
        json.key("seq")
        json.unsigned(event.sequence)
        json.member("accepted", event.isAccepted)
        json.member("outcome", event.outcome.rawValue)
        json.member("reason", event.reason)
    }

    private func write(_ event: AnswerEvent, to json: inout JSONWriter) {
        writeStamp(to: &json)
        json.member("scan", event.scan)
        json.key("seq")
        json.unsigned(event.sequence)
        json.member("verdict", event.verdict.rawValue)
        json.member("by", event.by)
        json.member("reason", event.reason)
        json.member("late", event.isLate)
        json.member("relay", event.relay)
    }

    private func write(_ event: ErrorEvent, to json: inout JSONWriter) {
        writeStamp(to: &json)
        json.member("part", event.part)
        json.member("code", event.code)
        json.member("message", event.message)
    }

    /// A scan's place in the journal; `nil` for any other event.
    package var scanSequence: UInt64? {
        if case .scan(let body) = body { body.scan.sequence } else { nil }
    }

    /// A scan's id; `nil` for any other event.
    package var scanID: String? {
        if case .scan(let body) = body { body.scan.id } else { nil }
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
