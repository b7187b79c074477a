import Glibc
import Linux

/// What systemd tells a service in its environment: where it listens, and how often it wants to hear.
package struct ServiceEnvironment: Hashable, Sendable {
    /// A path, or a name in the abstract namespace, which begins with `@`.
    package var socket: String
    /// The manager ends the process after this long without a sign of life; `nil`: no watchdog, or one for another process.
    package var watchdog: Duration?

    /// `nil`: nobody listens.
    package init?(variables: (String) -> String?, processID: Int32) {
        guard let socket = variables("NOTIFY_SOCKET"), socket.utf8.count > 1, socket.first == "/" || socket.first == "@"
        else { return nil }
        self.socket = socket
        let isOurs = variables("WATCHDOG_PID").map { $0 == String(processID) } ?? true
        if isOurs, let text = variables("WATCHDOG_USEC"), let microseconds = Int64(text), microseconds > 0 {
            watchdog = .microseconds(microseconds)
        }
    }

    /// This process's environment. The variables are removed from it, so that no child can speak in its name. Call it before there are
    /// other threads, because `unsetenv` isn't safe beside them.
    package static func take() -> ServiceEnvironment? {
        defer { for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) } }
        return ServiceEnvironment(
            variables: Environment.value, processID: getpid())
    }
}
