/// The console: a page that shows the camera's picture and what was read. It is a process of its own (`scanstation-console`) under a user of
/// its own, and talks to the station over a socket that is only for it.
package struct ConsoleSettings: Hashable, Sendable {
    package static let ports = 1...65_535

    /// Where the page listens.
    package enum Address: Hashable, Sendable {
        /// This machine, and once a password is set the network as well.
        case automatic
        case local
        case network
        /// One address of this machine, as written.
        case literal(String)
    }

    /// Off: the station makes no socket for it.
    package var isEnabled = true
    /// Path of the socket. Default: beside the control socket, see `SocketPath.resolve`.
    package var socket: String?
    /// The user whose processes may connect, beside root and the station's own.
    package var user = "scanstation-console"
    /// Whether relay, accept and refuse may be given over it.
    package var door = false
    package var address = Address.automatic
    package var port = 8080
    /// Host names under which the page may be asked for, beside the machine's own.
    package var names: [String] = []

    package init() {}
}
