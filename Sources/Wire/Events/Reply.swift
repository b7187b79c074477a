/// The answer to a command: `{"v":1,"type":"reply","command":"torch","ok":true,…}`. A client's `"tag"` is echoed.
public struct Reply: Hashable, Sendable {
    public var command: String
    /// `nil` when the command was carried out, else what was wrong and what to do.
    public var error: String?
    public var fields: [String: JSONValue]

    public init(command: String, error: String? = nil, fields: [String: JSONValue] = [:]) {
        self.command = command
        self.error = error
        self.fields = fields
    }
}
