/// The answer to a command: `{"v":1,"type":"reply","command":"torch","ok":true,…}`. A client's `"tag"` is echoed.
package struct Reply: Hashable, Sendable {
    package var command: String
    /// `nil` when the command was carried out, else what was wrong and what to do.
    package var error: String?
    package var fields: [String: JSONValue]

    package init(command: String, error: String? = nil, fields: [String: JSONValue] = [:]) {
        self.command = command
        self.error = error
        self.fields = fields
    }

    private static let ownKeys: Set<String> = ["v", "type", "command", "ok", "tag", "error"]

    /// The reply as one line of NDJSON, newline included; `tag` is the client's, echoed as it came.
    package func line(tag: JSONValue? = nil) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.beginObject()
        json.key("v")
        json.integer(Event.version)
        json.member("type", "reply")
        json.member("command", command)
        json.member("ok", error == nil)
        if let tag {
            json.key("tag")
            json.value(tag)
        }
        json.member("error", error)
        json.members(fields, besides: Reply.ownKeys)
        json.endObject()
        json.newline()
        return json.bytes
    }
}
