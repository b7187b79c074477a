/// Why a station can't start or go on: what was tried, what happened, what to do.
public struct StationError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The settings can't work.
        case configuration
        /// Something that the station needs isn't there or is taken.
        case unavailable
        /// The camera hangs or doesn't recover; nothing but another process can help.
        case needsNewProcess
    }

    public var kind: Kind
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
