/// Why readers can't work; the text says what was tried, what happened, what to do.
public struct ReaderError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
