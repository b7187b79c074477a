/// A command as it came from a client, with the tag that the reply echoes.
public struct DecodedCommand: Hashable, Sendable {
    public var command: Command
    public var tag: JSONValue?

    public init(command: Command, tag: JSONValue? = nil) {
        self.command = command
        self.tag = tag
    }
}

/// Why a line isn't a command. It is answered, never dropped silently.
public struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong and what to send instead.
    public var message: String
    /// The command's name as far as it was understood; empty otherwise.
    public var command: String
    public var tag: JSONValue?

    public init(message: String, command: String = "", tag: JSONValue? = nil) {
        self.message = message
        self.command = command
        self.tag = tag
    }

    public var description: String { message }
    /// The answer to send, with `tag`.
    public var reply: Reply { Reply(command: command, error: message) }
}
