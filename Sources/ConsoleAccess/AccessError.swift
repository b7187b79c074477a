/// Why a password, a link or a token couldn't be made, read or kept: what was tried, what happened, what to do.
package struct AccessError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
