/// A problem with an output that a person can fix: what was tried, what happened, what to do.
package struct DeliveryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// A setting that can't work on any machine.
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
