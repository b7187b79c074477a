import NIOCore
import Wire

/// An event of the station as a browser's EventSource takes it, made once for all of them.
package struct StreamEvent: Sendable {
    package let type: String
    /// A scan's place in the journal.
    package let place: JournalPlace?
    package let buffer: ByteBuffer

    package struct JournalPlace: Hashable, Sendable {
        package var journal: String
        package var seq: UInt64

        package init(journal: String, seq: UInt64) {
            self.journal = journal
            self.seq = seq
        }

        /// As in `id:` and `Last-Event-ID`: `JOURNAL:SEQ`.
        package init?(_ text: String) {
            guard text.utf8.count <= 64, let colon = text.lastIndex(of: ":") else { return nil }
            let journal = String(text[..<colon])
            let digits = text[text.index(after: colon)...]
            guard !journal.isEmpty, journal.utf8.allSatisfy({ $0 == 0x2D || Character(Unicode.Scalar($0)).isHexDigit }),
                let seq = UInt64(digits), digits.first != "+"
            else { return nil }
            self.init(journal: journal, seq: seq)
        }

        package var text: String { "\(journal):\(seq)" }
    }

    /// - Parameter line: the event's JSON, without a line feed.
    package init(line: [UInt8]) {
        var type = "event"
        var place: JournalPlace?
        // Types are short words at the beginning of the line; only scans are looked into.
        let head = String(decoding: line.prefix(64), as: UTF8.self)
        if let start = head.firstRange(of: #""type":""#) {
            type = String(head[start.upperBound...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
        if type == "scan", let scan = try? JSONValue(parsing: line), let journal = scan["journal"]?.stringValue,
            let seq = scan["seq"]?.integerValue, seq >= 0
        {
            place = JournalPlace("\(journal):\(seq)")
        }
        self.init(type: type, place: place, data: line)
    }

    package init(type: String, place: JournalPlace? = nil, data: [UInt8]) {
        self.type = type
        self.place = place
        var buffer = ByteBuffer()
        if let place { buffer.writeString("id: \(place.text)\n") }
        buffer.writeString("event: \(type)\ndata: ")
        buffer.writeBytes(data)
        buffer.writeString("\n\n")
        self.buffer = buffer
    }

    /// Keeps a stream's connection alive, and shows that it is.
    package static let comment: StreamEvent = StreamEvent(raw: ": still here\n\n")

    private init(raw: String) {
        type = ""
        place = nil
        buffer = ByteBuffer(string: raw)
    }

    package static func away(_ why: String) -> StreamEvent {
        StreamEvent(type: "away", data: JSONValue.object(["type": "away", "why": .string(why)]).bytes)
    }

    package static func back(_ hello: StationHello) -> StreamEvent {
        let station: JSONValue = hello.station.map { .string($0) } ?? .null
        return StreamEvent(type: "back", data: JSONValue.object(["type": "back", "station": station]).bytes)
    }
}
