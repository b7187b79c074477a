/// Something about an output or the control socket that a person can put right: what was tried, what happened, what to do.
public struct DeliveryError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
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

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
