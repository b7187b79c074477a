import Payloads
import Vocabulary

/// Reads a scan's line back into the event it was written from; the journal keeps lines.
///
/// The line isn't trusted: anything missing, of another type or out of range is an error with its place. The payload is interpreted again
/// from the symbol, because the line may have been written by a newer or older version. An event that was read writes the same line again.
/// What the line doesn't say comes back as its default: a symbol's evidence, and times below a microsecond (a stamp's: below a
/// millisecond).
package struct ScanEventReader: Sendable {
    /// Longer lines are refused: a symbol has at most a few kilobytes.
    package static let maxLineBytes = 1 << 20

    private let interpreter: PayloadInterpreter

    package init(interpreter: PayloadInterpreter = PayloadInterpreter()) { self.interpreter = interpreter }

    /// One line of wire version 1, type `scan`, with or without its newline. Sequence and session numbers above Int64's range are refused:
    /// JSON readers don't keep them.
    package func read(_ line: some Collection<UInt8>) throws(ScanLineError) -> Event {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: line, limits: JSONLimits(maxBytes: ScanEventReader.maxLineBytes))
        } catch {
            throw ScanLineError("\(error)")
        }
        let fields = try ScanLineFields(value, place: "")
        let version: Int = try fields.integer("v")
        guard version == Event.version else {
            throw ScanLineError("v is \(version); this program reads \(Event.version)")
        }
        guard try fields.string("type") == "scan" else { throw ScanLineError("type isn't \"scan\"") }
        let stamp = try stamp(fields)
        let scan = try scan(fields)
        let year = stamp.isClockSynced ? WallTime.year(nanoseconds: stamp.wallNanoseconds) : nil
        let payload = interpreter.interpret(scan.symbol, currentYear: year)
        let journal =
            try fields.optionalString("journal") ?? ""
        return Event(stamp: stamp, body: .scan(ScanEvent(scan: scan, payload: payload, journal: journal)))
    }

    private func stamp(_ fields: ScanLineFields) throws(ScanLineError) -> Stamp {
        guard let wall = WallTime.nanoseconds(rfc3339: try fields.string("time")) else {
            throw fields.wrong("time", "isn't a time of the form 2026-11-21T06:14:40.125Z")
        }
        let clock = try fields.string("clock")
        guard clock == "synced" || clock == "unsynced" else {
            throw fields.wrong("clock", "is neither synced nor unsynced")
        }
        return Stamp(
            wallNanoseconds: wall, isClockSynced: clock == "synced", boot: try fields.string("boot"),
            station: try fields.string("station"))
    }

    private func scan(_ fields: ScanLineFields) throws(ScanLineError) -> Scan {
        let (frame, latency) = try frame(try fields.object("frame"))
        return Scan(
            id: try fields.string("id"), sequence: try fields.unsigned("seq"),
            acceptedAt: frame.exposedAt.advanced(by: latency), trigger: try fields.word("trigger"),
            session: try fields.unsigned("session"), symbol: try symbol(fields), reads: try fields.integer("reads"),
            frame: frame, decodeTime: try fields.milliseconds("decodeMs"))
    }

    private func symbol(_ fields: ScanLineFields) throws(ScanLineError) -> Symbol {
        guard let bytes = Base64.decode(try fields.string("bytes")) else { throw fields.wrong("bytes", "isn't base64") }
        return Symbol(
            symbology: try fields.word("symbology"), aim: try fields.string("aim"), bytes: bytes,
            text: try fields.optionalString("text"),
            corners: try corners(fields),
            addOn: try fields.optionalString("addOn"),
            isInverted: try fields.bool("inverted"),
            structuredAppend: try fields.optional("structuredAppend") { fields throws(ScanLineError) in
                let place = try fields.object("structuredAppend")
                return StructuredAppend(
                    index: try place.integer("index"), count: try place.integer("count"), id: try place.string("id"))
            })
    }

    private func corners(_ fields: ScanLineFields) throws(ScanLineError) -> Quad {
        var points: [Point] = []
        for corner in fields["corners"]?.arrayValue ?? [] {
            guard let pair = corner.arrayValue, pair.count == 2, let x = pair[0].doubleValue,
                let y = pair[1].doubleValue
            else { break }
            points.append(Point(x: x, y: y))
        }
        guard points.count == 4, fields["corners"]?.arrayValue?.count == 4 else {
            throw fields.wrong("corners", "isn't four pairs of numbers")
        }
        return Quad(points[0], points[1], points[2], points[3])
    }

    private func frame(_ fields: ScanLineFields) throws(ScanLineError) -> (FrameInfo, latency: Duration) {
        let frame = FrameInfo(
            sequence: try fields.unsigned("seq"),
            exposedAt: Instant.zero.advanced(by: try fields.milliseconds("exposedMs")),
            deliveredAt: Instant.zero.advanced(by: try fields.milliseconds("deliveredMs")),
            exposureMicroseconds: try fields.optional("exposureUs") { fields throws(ScanLineError) in
                try fields.integer("exposureUs")
            },
            gain: try fields.float("gain"), lux: try fields.float("lux"),
            focusFoM: try fields.optional("focusFoM") { fields throws(ScanLineError) in try fields.integer("focusFoM")
            },
            focusState: try fields.optional("focusState") { fields throws(ScanLineError) in
                try fields.word("focusState")
            },
            lensPosition: try fields.float("lensPosition"),
            label: try fields.optionalString("label"))
        return (frame, try fields.milliseconds("latencyMs"))
    }
}

/// Why a line isn't a scan.
package struct ScanLineError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String

    init(_ message: String) { self.message = message }

    package var description: String { "not a scan's line: \(message)" }
}

/// The members of one object of the line.
private struct ScanLineFields {
    let members: [String: JSONValue]
    let place: String

    init(_ value: JSONValue, place: String) throws(ScanLineError) {
        guard let members = value.objectValue else {
            throw ScanLineError("\(place.isEmpty ? "the line" : place) is \(value.typeName), not an object")
        }
        self.members = members
        self.place = place.isEmpty ? "" : place + "."
    }

    subscript(key: String) -> JSONValue? { members[key] }

    func wrong(_ key: String, _ what: String) -> ScanLineError { ScanLineError("\(place)\(key) \(what)") }

    /// A value that may be left out or null.
    func optional<Value>(
        _ key: String, _ read: (ScanLineFields) throws(ScanLineError) -> Value
    ) throws(ScanLineError) -> Value? {
        guard let value = members[key], value != .null else { return nil }
        return try read(self)
    }

    private func required<Value>(
        _ key: String, _ what: String, _ value: (JSONValue) -> Value?
    ) throws(ScanLineError) -> Value {
        guard let member = members[key] else { throw wrong(key, "is missing") }
        guard let value = value(member) else { throw wrong(key, "isn't \(what)") }
        return value
    }

    func object(_ key: String) throws(ScanLineError) -> ScanLineFields {
        try ScanLineFields(members[key] ?? .null, place: place + key)
    }

    func string(_ key: String) throws(ScanLineError) -> String { try required(key, "a string", \.stringValue) }

    func optionalString(_ key: String) throws(ScanLineError) -> String? {
        try optional(key) { fields throws(ScanLineError) in try fields.string(key) }
    }

    func bool(_ key: String) throws(ScanLineError) -> Bool { try required(key, "true or false", \.boolValue) }

    func integer<Value: FixedWidthInteger>(_ key: String) throws(ScanLineError) -> Value {
        try required(key, "a whole number in range") { value in value.integerValue.flatMap { Value(exactly: $0) } }
    }

    func unsigned(_ key: String) throws(ScanLineError) -> UInt64 { try integer(key) }

    func float(_ key: String) throws(ScanLineError) -> Float? {
        try optional(key) { fields throws(ScanLineError) in
            Float(try fields.required(key, "a number", \.doubleValue))
        }
    }

    /// To the microsecond that the line has.
    func milliseconds(_ key: String) throws(ScanLineError) -> Duration {
        let microseconds = (try required(key, "a number", \.doubleValue) * 1000).rounded()
        guard let whole = Int64(exactly: microseconds) else { throw wrong(key, "is out of range") }
        return .microseconds(whole)
    }

    func word<Word: RawRepresentable>(_ key: String) throws(ScanLineError) -> Word where Word.RawValue == String {
        try required(key, "one of its words") { value in value.stringValue.flatMap(Word.init(rawValue:)) }
    }
}
