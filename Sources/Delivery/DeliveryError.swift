/// Something about an output or the control socket that a person can put right: what was tried, what happened, what to do.
package struct DeliveryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// A setting can't work, whatever the machine looks like.
        case badSetting
        case noSuchDevice
        case noPermission
        case inUse
        /// The serial line is the system's console.
        case isConsole
        case notASerialDevice
        /// A file or socket is in the way.
        case pathTaken
        case pathTooLong
        /// Another station answers on the socket.
        case otherStation
        /// No station answers on the socket.
        case noStation
        case timeout
        /// The other side closed the connection.
        case closed
        case system
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
