import ScanCore

/// Why a line couldn't be had or used: what was tried, what happened, what to do.
public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// No chip, or no line of that name on any chip that could be opened.
        case notFound
        /// The configuration names it in a way that can't be understood.
        case badAddress
        /// Somebody else holds it; the kernel or a program, by the name it gave.
        case taken(by: String?)
        case permissionDenied
        /// The chip went away while the line was held.
        case vanished
        /// The system said something else.
        case failed(errno: Int32)
    }

    public var role: LineRole
    public var kind: Kind
    public var message: String

    public init(role: LineRole, kind: Kind, message: String) {
        self.role = role
        self.kind = kind
        self.message = message
    }

    public var description: String { message }

    /// Whether the line is there, even though we can't have it.
    public var lineExists: Bool { if case .taken = kind { true } else { false } }
}
