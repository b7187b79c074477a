import Vocabulary

/// Why a line couldn't be taken or used: what was tried, what happened, what to do.
package struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
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

    package var role: LineRole
    package var kind: Kind
    package var message: String

    package init(role: LineRole, kind: Kind, message: String) {
        self.role = role
        self.kind = kind
        self.message = message
    }

    package var description: String { message }

    /// Whether the line exists, even though we can't have it.
    package var lineExists: Bool { if case .taken = kind { true } else { false } }
}
