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
}
