/// Why readers can't work; the text says what was tried, what happened and what to do.
package struct ReaderError: Error, Hashable, Sendable, CustomStringConvertible {
    package var message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}
