/// Who sends commands: one connection to the station. Numbers aren't reused.
package struct ClientID: Hashable, Sendable, CustomStringConvertible {
    package let number: UInt64
    /// Where it connected: an output's name, or `control`.
    package let door: String

    package init(number: UInt64, door: String = "control") {
        self.number = number
        self.door = door
    }

    package var description: String { "client \(number)" }
}
