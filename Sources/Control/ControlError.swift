/// A problem with a station's socket that a person can fix: what was tried, what happened, what to do.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// A setting that can't work on any machine.
        case badSetting
        case noPermission
        /// Something else is in the way.
        case pathTaken
        case pathTooLong
        /// Another station answers on the socket.
        case otherStation
        /// No station answers on the socket.
        case noStation
        case inUse
        case timeout
        /// The other side closed the connection.
        case closed
        case system
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
