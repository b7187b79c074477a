/// Something about an output that a person can put right: what was tried, what happened, what to do.
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
        /// Another file is in the way.
        case pathTaken
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
