import Payloads
import Settings
import Vocabulary

/// What `scanstation scan` says about one picture: one line of NDJSON.
package struct PictureLine: Hashable, Sendable {
    package struct Code: Hashable, Sendable {
        package var symbol: Symbol
        package var payload: Payload

        package init(symbol: Symbol, payload: Payload) {
            self.symbol = symbol
            self.payload = payload
        }
    }

    package var file: String
    /// Upright, in pixels; `nil` when the picture couldn't be opened.
    package var size: FrameSize?
    package var codes: [Code]
    /// What looks like a code and wasn't read; `nil` if nobody asked.
    package var unread: [UnreadCode]?
    /// Why it wasn't read, or not to the end.
    package var error: String?
    package var decodeTime: Duration

    package init(
        file: String, size: FrameSize?, codes: [Code], unread: [UnreadCode]? = nil, error: String?,
        decodeTime: Duration
    ) {
        self.file = file
        self.size = size
        self.codes = codes
        self.unread = unread
        self.error = error
        self.decodeTime = decodeTime
    }

    /// `{"v":1,"type":"picture","file":…,"width":…,"height":…,"codes":[…],"decodeMs":…}`, newline included.
    package func line(secrets: SecretPolicy) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.key("v")
        json.integer(Event.version)
        json.member("type", "picture")
        json.member("file", file)
        if let size {
            json.key("width")
            json.integer(size.width)
            json.key("height")
            json.integer(size.height)
        }
        json.key("codes")
        json.beginArray()
        for code in codes {
            json.beginObject()
            SymbolWriter.write(code.symbol, payload: code.payload, secrets: secrets, to: &json)
            json.endObject()
        }
        json.endArray()
        if let unread {
            json.key("unread")
            json.value(.array(unread.map(\.json)))
        }
        json.member("error", error)
        json.key("decodeMs")
        json.fixed(decodeTime.milliseconds, decimals: 3)
        json.endObject()
        json.newline()
        return json.bytes
    }
}
