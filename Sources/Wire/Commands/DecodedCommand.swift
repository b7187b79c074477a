/// A command as it came from a client, with the tag that the reply echoes.
package struct DecodedCommand: Hashable, Sendable {
    package var command: Command
    package var tag: JSONValue?

    package init(command: Command, tag: JSONValue? = nil) {
        self.command = command
        self.tag = tag
    }
}

/// Why a line isn't a command. The station answers with it; a line is never dropped silently.
package struct CommandError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong and what to send instead.
    package var message: String
    /// The command's name, if it was understood; else empty.
    package var command: String
    package var tag: JSONValue?

    package init(message: String, command: String = "", tag: JSONValue? = nil) {
        self.message = message
        self.command = command
        self.tag = tag
    }

    package var description: String { message }
    /// The answer to send, with `tag`.
    package var reply: Reply { Reply(command: command, error: message) }
}
